package io.muster.rpc;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.muster.codec.ValueCodec;
import io.muster.core.GroupError;
import io.muster.core.Limits;
import io.muster.core.Response;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.TopicReport;
import io.muster.wire.ClaimCodec;
import io.muster.wire.CommandCodec;
import io.muster.wire.InvalidFrameException;
import io.muster.wire.ListingCodec;
import io.muster.wire.ResponseCodec;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's end of the stream to one gateway: decodes what comes for its {@link CoordinatorSession}, and encodes what goes; the
 * replies to all that was decided meanwhile go in one frame. Reads on only while the gateway keeps up with reading and has not too
 * many requests unanswered, so neither side's memory grows with the other's slowness.
 */
final class GatewayStream implements StreamObserver<Wire.GatewayFrame>, ConnectedGateway {
    /** Room for reports, so that they never stand behind requests that wait for them. */
    private static final int REPORTS_AHEAD = 256;

    private static final int MOST_UNANSWERED = CoordinatorSession.MAX_IN_FLIGHT + REPORTS_AHEAD;

    /** A frame of replies is sent once it has as many bytes. */
    private static final int FULL_FRAME_BYTES = 256 * 1024;

    /** What a frame holds beside the last reply. */
    private static final int MOST_REPLY_BYTES = Limits.DEFAULT.answerBytes() - 2 * FULL_FRAME_BYTES;

    private static final Logger LOG = LoggerFactory.getLogger(GatewayStream.class);

    private final ServerCallStreamObserver<Wire.NodeFrame> out;
    private final ConnectedGateways gateways;
    private final LocalShards shards;
    private final NodeIdentity node;
    private final SendQueue<Answered> answered;
    private String gatewayId = "";
    private volatile @Nullable CoordinatorSession session;
    private boolean closed;
    private int unanswered;
    private boolean readOwed;

    private record Answered(long correlationId, CoordinatorAnswer answer) {}

    /** @param sender sends the replies */
    GatewayStream(
            ServerCallStreamObserver<Wire.NodeFrame> out,
            ConnectedGateways gateways,
            LocalShards shards,
            NodeIdentity node,
            Executor sender) {
        this.out = out;
        this.gateways = gateways;
        this.shards = shards;
        this.node = node;
        this.answered = new SendQueue<>(sender, this::sendReplies);
        out.disableAutoRequest();
        out.setOnReadyHandler(this::readyAgain);
        out.setOnCancelHandler(() -> close(null));
        out.request(1);
    }

    @Override
    public String gatewayId() {
        return gatewayId;
    }

    @Override
    public boolean isReady() {
        return out.isReady();
    }

    @Override
    public void leadership(ShardLeadership leadership) {
        send(Wire.NodeFrame.newBuilder()
                .setLeadership(NodeFrames.encode(leadership))
                .build());
    }

    @Override
    public void ownedGroups(OwnedChange change) {
        send(Wire.NodeFrame.newBuilder()
                .setOwnedGroups(NodeFrames.encode(change))
                .build());
    }

    @Override
    public void claim(ClaimTask task) {
        send(Wire.NodeFrame.newBuilder()
                .setClaimRequest(NodeFrames.encode(task))
                .build());
    }

    @Override
    public void topics(LeasedWatch watch) {
        send(Wire.NodeFrame.newBuilder().setTopicLease(NodeFrames.encode(watch)).build());
    }

    @Override
    public void look(TopicLook look) {
        send(Wire.NodeFrame.newBuilder().setTopicLook(NodeFrames.encode(look)).build());
    }

    /** What was decided before is replied to before. */
    private synchronized void send(Wire.NodeFrame frame) {
        writeReplies();
        write(frame);
    }

    private void write(Wire.NodeFrame frame) {
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
        readOn();
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
    private void close(@Nullable Status status) {
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
        CoordinatorSession opened = session;
        if (opened != null) {
            opened.close();
        }
    }

    private void accept(Wire.GatewayFrame frame) {
        if (frame.getFrameCase() == Wire.GatewayFrame.FrameCase.HELLO) {
            hello(frame.getHello());
            return;
        }
        CoordinatorSession opened = session;
        if (opened == null) {
            throw new InvalidFrameException("the first frame must be a hello");
        }
        switch (frame.getFrameCase()) {
            case REQUESTS -> frame.getRequests().getRequestsList().forEach(request -> request(opened, request));
            case CLAIM_REPORT -> {
                Wire.ClaimReport report = frame.getClaimReport();
                opened.claimReported(report.getOperationId(), ClaimCodec.decode(report.getOutcome()));
            }
            case TOPIC_REPORT -> topicsReported(opened, frame.getTopicReport());
            case TOPICS_TOUCHED -> {
                Wire.TopicsTouched touched = frame.getTopicsTouched();
                opened.topicsTouched(Set.copyOf(touched.getNamesList()), Set.copyOf(touched.getDeletedList()));
            }
            case TROUBLES -> opened.troubles(frame.getTroubles().getTroublesList());
            case HELLO, FRAME_NOT_SET -> throw new InvalidFrameException("unknown frame");
        }
    }

    private void hello(Wire.Hello hello) {
        Optional<String> difference = node.cluster().differenceTo(ValueCodec.decode(hello.getCluster()));
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
                        .setCluster(ValueCodec.encode(node.cluster()))
                        .setNodeId(node.nodeId())
                        .setMaxInFlight(CoordinatorSession.MAX_IN_FLIGHT))
                .build());
        open();
    }

    /** A stream that ended meanwhile leaves no session behind. */
    private void open() {
        CoordinatorSession opened = CoordinatorSession.open(this, gateways, shards);
        boolean ended;
        synchronized (this) {
            session = opened;
            ended = closed;
        }
        if (ended) {
            opened.close();
        }
    }

    private static void topicsReported(CoordinatorSession opened, Wire.TopicReport report) {
        opened.topicsReported(
                report.getShard(),
                report.getLease(),
                new TopicReport(
                        report.getPresentList().stream().map(ValueCodec::decode).toList(),
                        Set.copyOf(report.getAbsentList()),
                        Set.copyOf(report.getDeletedList())));
    }

    private void request(CoordinatorSession opened, Wire.Request request) {
        long number = request.getCorrelationId();
        synchronized (this) {
            unanswered++;
        }
        switch (request.getAskedCase()) {
            case COMMAND -> opened.submit(CommandCodec.decode(request.getCommand()), answer -> reply(number, answer));
            case LIST_SHARD -> opened.listGroups(request.getListShard(), answer -> reply(number, answer));
            case ASKED_NOT_SET -> throw new InvalidFrameException("unknown request");
        }
    }

    private void reply(long correlationId, CoordinatorAnswer answer) {
        answered.add(new Answered(correlationId, answer));
    }

    private void sendReplies() {
        synchronized (this) {
            writeReplies();
        }
        readWhatIsOwed();
    }

    private void writeReplies() {
        Wire.Replies.Builder replies = Wire.Replies.newBuilder();
        int bytes = 0;
        for (Answered next = answered.poll(); next != null; next = answered.poll()) {
            Wire.Reply reply = encode(next);
            replies.addReplies(reply);
            bytes += reply.getSerializedSize();
            unanswered--;
            if (bytes >= FULL_FRAME_BYTES) {
                write(Wire.NodeFrame.newBuilder().setReplies(replies).build());
                replies.clear();
                bytes = 0;
            }
        }
        if (replies.getRepliesCount() > 0) {
            write(Wire.NodeFrame.newBuilder().setReplies(replies).build());
        }
    }

    /** A frame that is too large would end the stream, and with it what all other clients wait for. */
    private static Wire.Reply encode(Answered answered) {
        Wire.Reply reply = encode(answered.answer())
                .setCorrelationId(answered.correlationId())
                .build();
        int bytes = reply.getSerializedSize();
        if (bytes <= MOST_REPLY_BYTES) {
            return reply;
        }
        String message = "The answer has " + bytes + " bytes, and the most is " + MOST_REPLY_BYTES + ".";
        return Wire.Reply.newBuilder()
                .setCorrelationId(answered.correlationId())
                .setResponse(ResponseCodec.encode(new Response.Refused(GroupError.INVALID_REQUEST, message)))
                .build();
    }

    private static Wire.Reply.Builder encode(CoordinatorAnswer answer) {
        Wire.Reply.Builder reply = Wire.Reply.newBuilder();
        if (answer instanceof CoordinatorAnswer.Decided decided) {
            return reply.setResponse(ResponseCodec.encode(decided.response()));
        }
        if (answer instanceof CoordinatorAnswer.NotLeader other) {
            return reply.setNotLeader(NodeFrames.encode(other.leadership()));
        }
        return reply.setListings(ListingCodec.encode(((CoordinatorAnswer.Listed) answer).groups()));
    }

    private void readOn() {
        synchronized (this) {
            readOwed = closed || unanswered >= MOST_UNANSWERED || !out.isReady();
            if (readOwed) {
                return;
            }
        }
        out.request(1);
    }

    private void readWhatIsOwed() {
        boolean owed;
        synchronized (this) {
            owed = readOwed;
        }
        if (owed) {
            readOn();
        }
    }

    private void readyAgain() {
        readWhatIsOwed();
        CoordinatorSession opened = session;
        if (opened != null) {
            opened.readyAgain();
        }
    }
}
