package io.muster.gateway.coordinator;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.muster.core.ClaimOutcome;
import io.muster.core.GroupError;
import io.muster.core.Limits;
import io.muster.core.Response;
import io.muster.rpc.CoordinatorAnswer;
import io.muster.rpc.NodeFrames;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.TopicReport;
import io.muster.wire.ClaimCodec;
import io.muster.wire.InvalidFrameException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One opened stream to a node of another process: encodes what goes to it, and decodes what comes. */
final class NodeStream implements NodeSession, ClientResponseObserver<Wire.GatewayFrame, Wire.NodeFrame> {
    private static final Logger LOG = LoggerFactory.getLogger(NodeStream.class);

    private final String nodeId;
    private final Events events;
    private final Life life;
    private volatile @Nullable ClientCallStreamObserver<Wire.GatewayFrame> out;
    private volatile boolean ended;

    /** Told of the stream's beginning and end. */
    interface Life {
        /** The node says who it is; returns whether it may be asked. */
        boolean welcomed(NodeStream stream, Wire.Welcome welcome);

        void ended(NodeStream stream, Status status);
    }

    NodeStream(String nodeId, Events events, Life life) {
        this.nodeId = nodeId;
        this.events = events;
        this.life = life;
    }

    @Override
    public String nodeId() {
        return nodeId;
    }

    @Override
    public boolean isReady() {
        ClientCallStreamObserver<Wire.GatewayFrame> call = out;
        return !ended && call != null && call.isReady();
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public void send(PendingRequest request) {
        Wire.Request message = GatewayFrames.encode(request);
        if (message.getSerializedSize() > GatewayFrames.MAX_REQUEST_BYTES) {
            events.answered(this, request.number(), tooLarge(message));
        } else {
            send(Wire.GatewayFrame.newBuilder().setRequest(message).build());
        }
    }

    /** The stream is everybody's: what the node would not take must not be sent. */
    private static CoordinatorAnswer tooLarge(Wire.Request message) {
        String reason = "The request has " + message.getSerializedSize() + " bytes, and the most is "
                + Limits.DEFAULT.messageBytes() + ".";
        return new CoordinatorAnswer.Decided(new Response.Refused(GroupError.INVALID_REQUEST, reason));
    }

    @Override
    public void claimReported(long operationId, ClaimOutcome outcome) {
        send(Wire.GatewayFrame.newBuilder()
                .setClaimReport(Wire.ClaimReport.newBuilder()
                        .setOperationId(operationId)
                        .setOutcome(ClaimCodec.encode(outcome)))
                .build());
    }

    @Override
    public void topicsReported(TopicLease lease, TopicReport report) {
        GatewayFrames.of(lease, report).forEach(this::send);
    }

    @Override
    public void topicsTouched(Set<String> names, Set<String> deleted) {
        send(Wire.GatewayFrame.newBuilder()
                .setTopicsTouched(Wire.TopicsTouched.newBuilder()
                        .addAllNames(new TreeSet<>(names))
                        .addAllDeleted(new TreeSet<>(deleted)))
                .build());
    }

    @Override
    public void troubles(List<String> lines) {
        send(Wire.GatewayFrame.newBuilder()
                .setTroubles(Wire.Troubles.newBuilder().addAllTroubles(lines))
                .build());
    }

    /** Begins the conversation. */
    void hello(Wire.Hello hello) {
        send(Wire.GatewayFrame.newBuilder().setHello(hello).build());
    }

    /** Sends a frame; nothing happens if the stream has ended, or if the frame is so large that it would end it. */
    private synchronized void send(Wire.GatewayFrame frame) {
        if (frame.getSerializedSize() > Limits.DEFAULT.messageBytes()) {
            LOG.atError()
                    .addKeyValue("nodeId", nodeId)
                    .addKeyValue("kind", frame.getFrameCase())
                    .addKeyValue("bytes", frame.getSerializedSize())
                    .log("a message to a node is too large and is not sent");
            return;
        }
        ClientCallStreamObserver<Wire.GatewayFrame> call = out;
        if (!ended && call != null) {
            call.onNext(frame);
        }
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Wire.GatewayFrame> call) {
        out = call;
        call.setOnReadyHandler(() -> events.ready(this));
    }

    @Override
    public void onNext(Wire.NodeFrame frame) {
        try {
            accept(frame);
        } catch (InvalidFrameException e) {
            cancel(e);
        }
    }

    private void accept(Wire.NodeFrame frame) {
        switch (frame.getFrameCase()) {
            case WELCOME -> welcomed(frame.getWelcome());
            case REPLY ->
                events.answered(this, frame.getReply().getCorrelationId(), GatewayFrames.decode(frame.getReply()));
            case LEADERSHIP -> events.leadership(this, NodeFrames.decode(frame.getLeadership()));
            case OWNED_GROUPS -> events.ownedGroups(this, NodeFrames.decode(frame.getOwnedGroups()));
            case CLAIM_REQUEST -> events.claim(this, NodeFrames.decode(frame.getClaimRequest()));
            case TOPIC_LEASE -> events.topics(this, NodeFrames.decode(frame.getTopicLease()));
            case TOPIC_LOOK -> events.look(this, NodeFrames.decode(frame.getTopicLook()));
            case FRAME_NOT_SET -> throw new InvalidFrameException("unknown frame");
        }
    }

    private void welcomed(Wire.Welcome welcome) {
        if (life.welcomed(this, welcome)) {
            events.opened(this, welcome.getCluster().getShards(), welcome.getMaxInFlight());
        }
    }

    @Override
    public void onError(Throwable failure) {
        end(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
        end(Status.OK);
    }

    /** Ends the stream from this side, before anything of it counted. */
    void refuse(Status reason) {
        end(reason);
        cancel(null);
    }

    /** Ends the stream from this side. */
    void cancel(@Nullable Throwable cause) {
        ClientCallStreamObserver<Wire.GatewayFrame> call = out;
        if (call != null) {
            call.cancel("ended by the gateway", cause);
        }
    }

    private void end(Status status) {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        events.ended(this);
        life.ended(this, status);
    }
}
