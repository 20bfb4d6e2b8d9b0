package io.muster.cluster.kafka;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A port that connects to another port of this machine; what happens to the bytes between them is up to drivers. */
public final class Relay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final ServerSocket entrance;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** Carries the bytes of one direction of one connection, until a side ends. */
    @FunctionalInterface
    public interface Driver {
        void drive(InputStream from, OutputStream to) throws IOException, InterruptedException;
    }

    /**
     * The drivers of one connection, each on a thread of its own.
     *
     * @param there from who connected to the destination
     * @param back from the destination to who connected
     */
    public record Drivers(Driver there, Driver back) {}

    /**
     * Begins to accept connections.
     *
     * @param drivers asked once for each connection
     */
    public Relay(int destination, Supplier<Drivers> drivers) {
        try {
            this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(() -> accept(destination, drivers), entrance);
    }

    /** The port where it accepts connections. */
    public int port() {
        return entrance.getLocalPort();
    }

    @Override
    public void close() {
        close(entrance);
        open.forEach(Relay::close);
    }

    private void accept(int destination, Supplier<Drivers> drivers) throws IOException {
        while (true) {
            Socket from = entrance.accept();
            open.add(from);
            try {
                Socket to = new Socket(InetAddress.getLoopbackAddress(), destination);
                open.add(to);
                from.setTcpNoDelay(true);
                to.setTcpNoDelay(true);
                Drivers both = drivers.get();
                start(() -> both.there().drive(from.getInputStream(), to.getOutputStream()), from, to);
                start(() -> both.back().drive(to.getInputStream(), from.getOutputStream()), from, to);
            } catch (ConnectException nobodyThere) {
                from.close();
            }
        }
    }

    private interface Traffic {
        void run() throws IOException, InterruptedException;
    }

    /** Runs until a side ends, then ends the others. */
    private static void start(Traffic traffic, Closeable... sides) {
        Thread thread = new Thread(
                () -> {
                    try {
                        traffic.run();
                    } catch (IOException sideEnded) {
                        LOG.debug("a side ended", sideEnded);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    for (Closeable side : sides) {
                        close(side);
                    }
                },
                "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Closeable side) {
        try {
            side.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
