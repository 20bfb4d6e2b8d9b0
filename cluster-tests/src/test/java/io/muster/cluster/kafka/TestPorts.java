package io.muster.cluster.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Loopback ports that nobody listens on; another process may still take one before it is used. */
public final class TestPorts {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int TRIES = 200;

    private TestPorts() {}

    /** Distinct ports. */
    public static List<Integer> find(int count) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(listen(0));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            release(held);
        }
    }

    /** The first of so many ports in a row, below those that the system gives to outgoing connections. */
    public static int findRange(int count) {
        for (int i = 0; i < TRIES; i++) {
            int first = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST - count);
            if (isFree(first, count)) {
                return first;
            }
        }
        throw new IllegalStateException("no " + count + " free ports in a row");
    }

    private static boolean isFree(int first, int count) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int port = first; port < first + count; port++) {
                held.add(listen(port));
            }
            return true;
        } catch (IOException taken) {
            return false;
        } finally {
            release(held);
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    private static void release(List<ServerSocket> sockets) {
        for (ServerSocket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
