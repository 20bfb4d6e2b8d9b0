package io.muster.gateway.netty;

import io.muster.core.CoordinatorConfig;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.upstream.UpstreamConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A gateway that listens, before a stand-in broker. */
final class OpenGateway implements AutoCloseable {
    private final int basePort;
    private final Gateway gateway;

    private OpenGateway(int basePort, Gateway gateway) {
        this.basePort = basePort;
        this.gateway = gateway;
    }

    /** Starts it at free ports for brokers 0 to 2. */
    static OpenGateway before(StandInBroker broker, Coordinator groups, UnaryOperator<GatewayConfig> changed)
            throws Exception {
        return at(freePorts(), broker, groups, changed);
    }

    static OpenGateway at(int basePort, StandInBroker broker, Coordinator groups, UnaryOperator<GatewayConfig> changed)
            throws Exception {
        Gateway gateway = new Gateway(
                changed.apply(GatewayConfig.of("127.0.0.1", "127.0.0.1", basePort)),
                new UpstreamConfig(List.of("127.0.0.1:" + broker.port()), "test", Map.of()),
                groups,
                CoordinatorConfig.defaults("test"));
        try {
            gateway.start().get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            gateway.close();
            throw e;
        }
        return new OpenGateway(basePort, gateway);
    }

    int port(int brokerId) {
        return basePort + brokerId;
    }

    Gateway gateway() {
        return gateway;
    }

    @Override
    public void close() {
        gateway.close();
    }

    /** The first of three ports in a row that nobody listens on. */
    static int freePorts() throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            OptionalInt port = freeRow();
            if (port.isPresent()) {
                return port.getAsInt();
            }
        }
        throw new IOException("there are no three free ports in a row");
    }

    private static OptionalInt freeRow() {
        try (ServerSocket first = listening(0);
                ServerSocket second = listening(first.getLocalPort() + 1);
                ServerSocket third = listening(first.getLocalPort() + 2)) {
            return OptionalInt.of(Math.min(second.getLocalPort() - 1, third.getLocalPort() - 2));
        } catch (IOException | IllegalArgumentException e) {
            return OptionalInt.empty();
        }
    }

    /** Occupies a port. */
    static ServerSocket listening(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
