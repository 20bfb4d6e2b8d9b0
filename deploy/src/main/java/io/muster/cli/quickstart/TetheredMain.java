package io.muster.cli.quickstart;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class until this process's standard input ends, so that a child never outlives the parent that holds the
 * other end, however the parent died.
 */
public final class TetheredMain {
    private TetheredMain() {}

    /**
     * @param args the main class, then its arguments
     */
    public static void main(String[] args) throws ReflectiveOperationException {
        Thread watcher = new Thread(TetheredMain::exitWhenInputEnds, "parent-watcher");
        watcher.setDaemon(true);
        watcher.start();
        try {
            Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object)
                    Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(args[0] + " failed", e.getCause());
        }
    }

    private static void exitWhenInputEnds() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            System.err.println("standard input broke: " + e.getMessage());
        }
        System.exit(143);
    }
}
