package io.muster.gateway.coordinator;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.muster.core.Limits;
import io.muster.gateway.coordinator.CoordinatorClientConfig.NodeAddress;
import io.muster.rpc.DaemonThreads;
import io.muster.rpc.RpcLoop;
import io.muster.rpc.SecretProved;
import io.muster.rpc.proto.CoordinatorServiceGrpc;
import io.muster.rpc.proto.Wire;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one stream open to a node; when it breaks, opens the next one as soon as the node can be reached. */
final class NodeLink implements NodeStream.Life, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeLink.class);
    private static final long REOPEN_MILLIS = 100;
    private static final long CLOSE_TIMEOUT_MILLIS = 1_000;

    private final NodeAddress address;
    private final String gatewayId;
    private final KnownCluster cluster;
    private final NodeSession.Events events;
    private final ScheduledExecutorService timer;
    private final RpcLoop loop;
    private final ExecutorService news = Executors.newSingleThreadExecutor(DaemonThreads.named("coordinator-news"));
    private final ManagedChannel channel;
    private @Nullable NodeStream stream;
    private String lastComplaint = "";
    private boolean closed;

    /** What all links share. */
    record Threads(ScheduledExecutorService timer, RpcLoop loop) {}

    NodeLink(
            NodeAddress address,
            CoordinatorClientConfig config,
            KnownCluster cluster,
            NodeSession.Events events,
            Threads threads) {
        this.address = address;
        this.gatewayId = config.gatewayId();
        this.cluster = cluster;
        this.events = events;
        this.timer = threads.timer();
        this.loop = threads.loop();
        this.channel = loop.channelTo(address.host(), address.port())
                .intercept(new SecretProved(config.secret()))
                .maxInboundMessageSize(Limits.DEFAULT.answerBytes())
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(3, TimeUnit.SECONDS)
                .build();
    }

    void open() {
        NodeStream next = new NodeStream(address.nodeId(), events, this, loop, this::later);
        synchronized (this) {
            if (closed) {
                return;
            }
            stream = next;
        }
        var unused = CoordinatorServiceGrpc.newStub(channel).withWaitForReady().connect(next);
        next.hello(Wire.Hello.newBuilder()
                .setCluster(cluster.message())
                .setGatewayId(gatewayId)
                .build());
    }

    /** Shortens gRPC's own back-off, which soon is longer than a node's restart. */
    void nudge() {
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff();
        }
    }

    /** The stream that is open now; it may have ended, or not have begun. */
    synchronized Optional<NodeSession> session() {
        return Optional.ofNullable(stream);
    }

    @Override
    public void close() {
        NodeStream last;
        synchronized (this) {
            closed = true;
            last = stream;
        }
        if (last != null) {
            last.cancel(null);
        }
        channel.shutdownNow();
        try {
            channel.awaitTermination(CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        news.shutdown();
    }

    private void later(Runnable task) {
        try {
            news.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the gateway is closed", e);
        }
    }

    @Override
    public boolean welcomed(NodeStream from, Wire.Welcome welcome) {
        Optional<String> stranger = cluster.meet(address.nodeId(), welcome);
        if (stranger.isPresent()) {
            from.refuse(Status.FAILED_PRECONDITION.withDescription(stranger.get()));
            return false;
        }
        LOG.atInfo().addKeyValue("nodeId", address.nodeId()).log("connected to a node");
        lastComplaint = "";
        return true;
    }

    @Override
    public void ended(NodeStream from, Status status) {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        complain(status);
        var unused = timer.schedule(this::open, REOPEN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void complain(Status status) {
        String complaint = status.getCode() + ": "
                + (status.getCode() == Status.Code.UNAUTHENTICATED && status.getDescription() == null
                        ? "the node does not take this gateway's secret, see cluster.secretFile"
                        : status.getDescription());
        if (!complaint.equals(lastComplaint)) {
            lastComplaint = complaint;
            LOG.atWarn()
                    .addKeyValue("nodeId", address.nodeId())
                    .addKeyValue("reason", complaint)
                    .log("the stream to a node ended");
        }
    }
}
