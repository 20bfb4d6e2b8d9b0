package io.muster.cli.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Checks ports before anything is started on them, so that the complaint is short. */
final class Ports {
    private Ports() {}

    /** @throws StartException if the address cannot be bound */
    static void requireFree(String key, InetSocketAddress address) throws StartException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address);
        } catch (IOException e) {
            throw new StartException(
                    key + ": " + address.getHostString() + ":" + address.getPort() + " cannot be listened on: "
                            + e.getMessage(),
                    e);
        }
    }
}
