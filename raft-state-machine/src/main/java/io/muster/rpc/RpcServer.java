package io.muster.rpc;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.muster.core.Limits;
import io.muster.rpc.proto.CoordinatorServiceGrpc;
import io.muster.runtime.ClusterSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The gRPC server of a node: its services and health on one port. */
public final class RpcServer implements AutoCloseable {
    private static final int THREADS = 4;
    private static final long CLOSE_TIMEOUT_MILLIS = 2_000;

    private final RpcLoop loop = new RpcLoop("rpc-io");
    private final ExecutorService threads;
    private final HealthStatusManager health;
    private final StartingServices more = new StartingServices();
    private final Server server;

    /** Listens for everybody on this machine; for tests. */
    public RpcServer(int port, List<BindableService> services) throws IOException {
        this(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), null, services);
    }

    /**
     * Starts to listen.
     *
     * @param secret what callers have to prove; null if everybody who reaches the port is served
     * @param services served from the start; {@link #add} brings more
     * @throws IOException if the address cannot be bound
     */
    public RpcServer(InetSocketAddress address, @Nullable ClusterSecret secret, List<BindableService> services)
            throws IOException {
        this.threads = Executors.newFixedThreadPool(THREADS, DaemonThreads.named("rpc"));
        this.health = new HealthStatusManager();
        var builder = loop.serverAt(address)
                .executor(threads)
                .callExecutor(new StreamsOnTheLoop())
                .intercept(new SecretAsked(secret))
                .fallbackHandlerRegistry(more)
                .maxInboundMessageSize(Limits.DEFAULT.messageBytes())
                .keepAliveTime(2, TimeUnit.SECONDS)
                .keepAliveTimeout(3, TimeUnit.SECONDS)
                .permitKeepAliveTime(500, TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addService(health.getHealthService());
        services.forEach(builder::addService);
        try {
            this.server = builder.build().start();
        } catch (IOException e) {
            threads.shutdown();
            loop.close();
            throw e;
        }
    }

    /** Serves this too from now on; until {@link #setServing}, callers of what is missing are told that the node is starting. */
    public void add(BindableService service) {
        more.add(service);
    }

    /** The thread of the connections, for what is to be sent on them. */
    public Executor loop() {
        return loop;
    }

    /** The port that it listens on; of use when it was asked for port 0. */
    public int port() {
        return server.getPort();
    }

    /** What the health service answers from now on. */
    public void setServing(boolean serving) {
        if (serving) {
            more.complete();
        }
        health.setStatus(
                HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
                serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    }

    @Override
    public void close() {
        health.enterTerminalState();
        server.shutdown();
        try {
            if (!server.awaitTermination(CLOSE_TIMEOUT_MILLIS / 4, TimeUnit.MILLISECONDS)) {
                server.shutdownNow();
                server.awaitTermination(CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        threads.shutdown();
        loop.close();
    }

    /** What comes on the gateways' streams is taken on the thread that read it: nothing blocks there. */
    private static final class StreamsOnTheLoop implements ServerCallExecutorSupplier {
        @Override
        public <Q, A> @Nullable Executor getExecutor(ServerCall<Q, A> call, Metadata metadata) {
            return call.getMethodDescriptor()
                            .getFullMethodName()
                            .equals(CoordinatorServiceGrpc.getConnectMethod().getFullMethodName())
                    ? Runnable::run
                    : null;
        }
    }
}
