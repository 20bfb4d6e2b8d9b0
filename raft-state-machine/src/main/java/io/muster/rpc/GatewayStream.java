package io.muster.rpc;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.muster.core.Command;
import io.muster.core.GroupError;
import io.muster.core.Limits;
import io.muster.core.Response;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.ShardRouter;
import io.muster.wire.CommandCodec;
import io.muster.wire.InvalidFrameException;
import io.muster.wire.ListingCodec;
import io.muster.wire.ResponseCodec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's end of the stream to one gateway. Reads a further request only when an earlier one is answered and the gateway keeps
 * up with reading, so neither side's memory grows with the other's slowness.
 */
final class GatewayStream implements StreamObserver<Wire.GatewayFrame> {
    /** How many requests of one gateway may be unanswered. */
    static final int MAX_IN_FLIGHT = 4_096;

    /** Room for reports, so that they never stand behind requests that wait for them. */
    private static final int REPORTS_AHEAD = 256;

    private static final Logger LOG = LoggerFactory.getLogger(GatewayStream.class);

    private final ServerCallStreamObserver<Wire.NodeFrame> out;
    private final ConnectedGateways gateways;
    private final LocalShards shards;
    private final NodeIdentity node;
    private String gatewayId = "";
    private volatile List<String> troubles = List.of();
    private boolean closed;
    private int owedReads;

    GatewayStream(
            ServerCallStreamObserver<Wire.NodeFrame> out,
            ConnectedGateways gateways,
            LocalShards shards,
            NodeIdentity node) {
        this.out = out;
        this.gateways = gateways;
        this.shards = shards;
        this.node = node;
        out.disableAutoRequest();
        out.setOnReadyHandler(this::readyAgain);
        out.setOnCancelHandler(() -> close(null));
        out.request(1);
    }

    String gatewayId() {
        return gatewayId;
    }

    /** What operators should know of the gateway, as it said last. */
    List<String> troubles() {
        return troubles;
    }

    /** Whether a frame sent now would not pile up. */
    boolean isReady() {
        return out.isReady();
    }

    synchronized void send(Wire.NodeFrame frame) {
        if (!closed && !out.isCancelled()) {
            out.onNext(frame);
        }
    }

    @Override
    public void onNext(Wire.GatewayFrame frame) {
        try {
            accept(frame);
        } catch (InvalidFrameException | IllegalArgumentException e) {
            LOG.atWarn().addKeyValue("gatewayId", gatewayId).setCause(e).log("closing the stream of a gateway");
            close(Status.INVALID_ARGUMENT.withDescription(e.getMessage()));
        }
    }

    @Override
    public void onError(Throwable failure) {
        LOG.atDebug().addKeyValue("gatewayId", gatewayId).setCause(failure).log("a gateway's stream broke");
        close(null);
    }

    @Override
    public void onCompleted() {
        close(Status.OK);
    }

    /** Ends the stream, with this status unless it is cancelled already. */
    void close(@Nullable Status status) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (status != null && status.isOk()) {
                out.onCompleted();
            } else if (status != null) {
                out.onError(status.asRuntimeException());
            }
        }
        gateways.remove(this);
    }

    private void accept(Wire.GatewayFrame frame) {
        if (gatewayId.isEmpty() && frame.getFrameCase() != Wire.GatewayFrame.FrameCase.HELLO) {
            throw new InvalidFrameException("the first frame must be a hello");
        }
        switch (frame.getFrameCase()) {
            case HELLO -> hello(frame.getHello());
            case REQUEST -> request(frame.getRequest());
            case CLAIM_REPORT -> {
                gateways.claims().reported(this, frame.getClaimReport());
                out.request(1);
            }
            case TOPIC_REPORT -> {
                gateways.topics().reported(this, frame.getTopicReport());
                out.request(1);
            }
            case TOPICS_TOUCHED -> {
                gateways.topics().touched(frame.getTopicsTouched());
                out.request(1);
            }
            case TROUBLES -> {
                troubles = List.copyOf(frame.getTroubles().getTroublesList());
                out.request(1);
            }
            case FRAME_NOT_SET -> throw new InvalidFrameException("unknown frame");
        }
    }

    private void hello(Wire.Hello hello) {
        Optional<String> difference = node.cluster().differenceTo(IdentityMessages.decode(hello.getCluster()));
        if (difference.isPresent()) {
            close(Status.FAILED_PRECONDITION.withDescription("at node " + node.nodeId() + ", " + difference.get()));
            return;
        }
        if (hello.getGatewayId().isEmpty() || !gatewayId.isEmpty()) {
            throw new InvalidFrameException("a second hello, or one without a gateway id");
        }
        gatewayId = hello.getGatewayId();
        send(Wire.NodeFrame.newBuilder()
                .setWelcome(Wire.Welcome.newBuilder()
                        .setCluster(IdentityMessages.encode(node.cluster()))
                        .setNodeId(node.nodeId())
                        .setMaxInFlight(MAX_IN_FLIGHT))
                .build());
        gateways.add(this);
        out.request(MAX_IN_FLIGHT + REPORTS_AHEAD);
    }

    private void request(Wire.Request request) {
        switch (request.getAskedCase()) {
            case COMMAND -> command(request.getCorrelationId(), CommandCodec.decode(request.getCommand()));
            case LIST_SHARD -> list(request.getCorrelationId(), request.getListShard());
            case ASKED_NOT_SET -> throw new InvalidFrameException("unknown request");
        }
    }

    private void command(long correlationId, Command command) {
        ShardLeadership leadership = shards.leadership(new ShardRouter(shards.count()).shardOf(command.groupId()));
        if (!leadership.here()) {
            reply(Wire.Reply.newBuilder()
                    .setCorrelationId(correlationId)
                    .setNotLeader(ConnectedGateways.encode(leadership)));
            return;
        }
        CompletableFuture<Response> answer = shards.submit(command);
        var unused = answer.whenComplete((response, failure) -> reply(Wire.Reply.newBuilder()
                .setCorrelationId(correlationId)
                .setResponse(ResponseCodec.encode(response != null ? response : unavailable(failure)))));
    }

    private void list(long correlationId, int shard) {
        if (shard < 0 || shard >= shards.count()) {
            throw new InvalidFrameException("there is no shard " + shard);
        }
        Wire.Reply.Builder reply = Wire.Reply.newBuilder().setCorrelationId(correlationId);
        if (!shards.leadership(shard).here()) {
            reply(reply.setNotLeader(ConnectedGateways.encode(shards.leadership(shard))));
            return;
        }
        var unused = shards.listGroups(shard)
                .whenComplete((groups, failure) -> reply(
                        groups != null
                                ? reply.setListings(ListingCodec.encode(groups))
                                : reply.setResponse(ResponseCodec.encode(unavailable(failure)))));
    }

    private Response unavailable(@Nullable Throwable failure) {
        LOG.atError().addKeyValue("gatewayId", gatewayId).setCause(failure).log("a request failed");
        return new Response.Refused(GroupError.COORDINATOR_NOT_AVAILABLE, "internal error: " + failure);
    }

    private void reply(Wire.Reply.Builder reply) {
        Wire.NodeFrame frame = Wire.NodeFrame.newBuilder().setReply(reply).build();
        send(frame.getSerializedSize() <= Limits.DEFAULT.answerBytes() ? frame : tooLarge(frame));
        readOneMore();
    }

    /** A larger frame would end the stream, and with it what all other clients wait for. */
    private static Wire.NodeFrame tooLarge(Wire.NodeFrame frame) {
        String message = "The answer has " + frame.getSerializedSize() + " bytes, and the most is "
                + Limits.DEFAULT.answerBytes() + ".";
        return Wire.NodeFrame.newBuilder()
                .setReply(Wire.Reply.newBuilder()
                        .setCorrelationId(frame.getReply().getCorrelationId())
                        .setResponse(ResponseCodec.encode(new Response.Refused(GroupError.INVALID_REQUEST, message))))
                .build();
    }

    private void readOneMore() {
        synchronized (this) {
            if (!out.isReady()) {
                owedReads++;
                return;
            }
        }
        out.request(1);
    }

    private void readyAgain() {
        int owed;
        synchronized (this) {
            owed = owedReads;
            owedReads = 0;
        }
        if (owed > 0) {
            out.request(owed);
        }
        if (!gatewayId.isEmpty()) {
            gateways.readyAgain(this);
        }
    }
}
