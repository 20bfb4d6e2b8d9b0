package io.muster.gateway.coordinator;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.muster.core.ClaimOutcome;
import io.muster.core.GroupError;
import io.muster.core.Limits;
import io.muster.core.Response;
import io.muster.rpc.ConnectedGateway.ClaimTask;
import io.muster.rpc.ConnectedGateway.LeasedWatch;
import io.muster.rpc.ConnectedGateway.TopicLook;
import io.muster.rpc.CoordinatorAnswer;
import io.muster.rpc.NodeFrames;
import io.muster.rpc.SendQueue;
import io.muster.rpc.ShardLeadership;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.TopicReport;
import io.muster.wire.ClaimCodec;
import io.muster.wire.InvalidFrameException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One opened stream to a node of another process: encodes what goes to it, and decodes what comes; the requests that came meanwhile go
 * in one frame. Heartbeats are answered on the connection's thread; what follows from all else may be long, and is handed on in order to a thread
 * of its own. Only owned groups are noted before the next frame is read, so that no answer overtakes them.
 */
final class NodeStream implements NodeSession, ClientResponseObserver<Wire.GatewayFrame, Wire.NodeFrame> {
    private static final Logger LOG = LoggerFactory.getLogger(NodeStream.class);

    /** A frame of requests is sent before it has more bytes, unless it is one request. */
    private static final int FULL_FRAME_BYTES = 256 * 1024;

    private final String nodeId;
    private final Events events;
    private final Life life;
    private final Executor news;
    private final SendQueue<Wire.Request> requests;
    private final AtomicInteger unsentBytes = new AtomicInteger();
    private volatile @Nullable ClientCallStreamObserver<Wire.GatewayFrame> out;
    private volatile boolean ended;

    /** Told of the stream's beginning and end. */
    interface Life {
        /** The node says who it is; returns whether it may be asked. */
        boolean welcomed(NodeStream stream, Wire.Welcome welcome);

        void ended(NodeStream stream, Status status);
    }

    /**
     * @param sender the connection's thread: sends the requests
     * @param news takes what is not to hold up the connection's thread, and runs it in order
     */
    NodeStream(String nodeId, Events events, Life life, Executor sender, Executor news) {
        this.nodeId = nodeId;
        this.events = events;
        this.life = life;
        this.news = news;
        this.requests = new SendQueue<>(sender, this::sendRequests);
    }

    @Override
    public String nodeId() {
        return nodeId;
    }

    @Override
    public boolean isReady() {
        ClientCallStreamObserver<Wire.GatewayFrame> call = out;
        return !ended && call != null && call.isReady() && unsentBytes.get() < FULL_FRAME_BYTES;
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public void send(PendingRequest request) {
        Wire.Request message = GatewayFrames.encode(request);
        int bytes = message.getSerializedSize();
        if (bytes > GatewayFrames.MAX_REQUEST_BYTES) {
            events.answered(this, request.number(), tooLarge(message));
        } else {
            unsentBytes.addAndGet(bytes);
            requests.add(message);
        }
    }

    private void sendRequests() {
        int sent;
        synchronized (this) {
            sent = writeRequests();
        }
        haveSent(sent);
    }

    private void haveSent(int bytes) {
        if (unsentBytes.getAndAdd(-bytes) >= FULL_FRAME_BYTES) {
            news.execute(() -> events.ready(this));
        }
    }

    private int writeRequests() {
        Wire.Requests.Builder frame = Wire.Requests.newBuilder();
        int frameBytes = 0;
        int bytes = 0;
        for (Wire.Request next = requests.poll(); next != null; next = requests.poll()) {
            int size = next.getSerializedSize();
            if (frameBytes > 0 && frameBytes + size > FULL_FRAME_BYTES) {
                write(Wire.GatewayFrame.newBuilder().setRequests(frame).build());
                frame.clear();
                frameBytes = 0;
            }
            frame.addRequests(next);
            frameBytes += size;
            bytes += size;
        }
        if (frameBytes > 0) {
            write(Wire.GatewayFrame.newBuilder().setRequests(frame).build());
        }
        return bytes;
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

    /** Sends a frame after what was to be sent before; nothing happens if the stream has ended, or if the frame is so large that it would end it. */
    private void send(Wire.GatewayFrame frame) {
        int sent;
        synchronized (this) {
            sent = writeRequests();
            write(frame);
        }
        haveSent(sent);
    }

    private void write(Wire.GatewayFrame frame) {
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
        call.setOnReadyHandler(() -> news.execute(() -> events.ready(this)));
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
            case REPLIES -> frame.getReplies().getRepliesList().forEach(this::replied);
            case LEADERSHIP -> {
                ShardLeadership leadership = NodeFrames.decode(frame.getLeadership());
                news.execute(() -> events.leadership(this, leadership));
            }
            case OWNED_GROUPS -> events.ownedGroups(this, NodeFrames.decode(frame.getOwnedGroups()));
            case CLAIM_REQUEST -> {
                ClaimTask task = NodeFrames.decode(frame.getClaimRequest());
                news.execute(() -> events.claim(this, task));
            }
            case TOPIC_LEASE -> {
                LeasedWatch watch = NodeFrames.decode(frame.getTopicLease());
                news.execute(() -> events.topics(this, watch));
            }
            case TOPIC_LOOK -> {
                TopicLook look = NodeFrames.decode(frame.getTopicLook());
                news.execute(() -> events.look(this, look));
            }
            case FRAME_NOT_SET -> throw new InvalidFrameException("unknown frame");
        }
    }

    private void welcomed(Wire.Welcome welcome) {
        if (life.welcomed(this, welcome)) {
            int shards = welcome.getCluster().getShards();
            news.execute(() -> events.opened(this, shards, welcome.getMaxInFlight()));
        }
    }

    private void replied(Wire.Reply reply) {
        CoordinatorAnswer answer = GatewayFrames.decode(reply);
        if (answer.isToHeartbeat()) {
            events.answered(this, reply.getCorrelationId(), answer);
        } else {
            news.execute(() -> events.answered(this, reply.getCorrelationId(), answer));
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
        news.execute(() -> events.ended(this));
        life.ended(this, status);
    }
}
