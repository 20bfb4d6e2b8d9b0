package io.muster.rpc;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that do not keep the process alive, numbered under one name. */
public final class DaemonThreads implements ThreadFactory {
    private final String name;
    private final AtomicInteger last = new AtomicInteger();

    private DaemonThreads(String name) {
        this.name = name;
    }

    public static ThreadFactory named(String name) {
        return new DaemonThreads(name);
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name + "-" + last.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
