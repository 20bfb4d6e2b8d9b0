package io.muster.cli.quickstart;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Finds loopback ports that nobody listens on. */
final class FreePorts {
    private FreePorts() {}

    /** Distinct free ports; another process may still take one before it is used. */
    static List<Integer> find(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            List<Integer> ports = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                held.add(socket);
                ports.add(socket.getLocalPort());
            }
            return ports;
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }

    /** Fails with one readable line if the port is taken. */
    static void requireFree(int port) throws QuickstartException {
        if (!isFree(port)) {
            throw new QuickstartException("port " + port + " is in use; choose another with --port (see --help)");
        }
    }

    /** Whether nobody listens on a loopback port. */
    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
