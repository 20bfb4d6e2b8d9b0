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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's end of the stream to one gateway: decodes what comes for its {@link CoordinatorSession}, and encodes what goes. Reads a
 * further request only when an earlier one is answered and the gateway keeps up with reading, so neither side's memory grows with the
 * other's slowness.
 */
final class GatewayStream implements StreamObserver<Wire.GatewayFrame>, ConnectedGateway {
    /** Room for reports, so that they never stand behind requests that wait for them. */
    private static final int REPORTS_AHEAD = 256;

    private static final Logger LOG = LoggerFactory.getLogger(GatewayStream.class);

    private final ServerCallStreamObserver<Wire.NodeFrame> out;
    private final ConnectedGateways gateways;
    private final LocalShards shards;
    private final NodeIdentity node;
    private String gatewayId = "";
    private volatile @Nullable CoordinatorSession session;
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

    private synchronized void send(Wire.NodeFrame frame) {
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
            case REQUEST -> request(opened, frame.getRequest());
            case CLAIM_REPORT -> {
                Wire.ClaimReport report = frame.getClaimReport();
                opened.claimReported(report.getOperationId(), ClaimCodec.decode(report.getOutcome()));
                out.request(1);
            }
            case TOPIC_REPORT -> {
                topicsReported(opened, frame.getTopicReport());
                out.request(1);
            }
            case TOPICS_TOUCHED -> {
                Wire.TopicsTouched touched = frame.getTopicsTouched();
                opened.topicsTouched(Set.copyOf(touched.getNamesList()), Set.copyOf(touched.getDeletedList()));
                out.request(1);
            }
            case TROUBLES -> {
                opened.troubles(frame.getTroubles().getTroublesList());
                out.request(1);
            }
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
        out.request(CoordinatorSession.MAX_IN_FLIGHT + REPORTS_AHEAD);
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
        switch (request.getAskedCase()) {
            case COMMAND -> opened.submit(CommandCodec.decode(request.getCommand()), answer -> reply(number, answer));
            case LIST_SHARD -> opened.listGroups(request.getListShard(), answer -> reply(number, answer));
            case ASKED_NOT_SET -> throw new InvalidFrameException("unknown request");
        }
    }

    private void reply(long correlationId, CoordinatorAnswer answer) {
        Wire.NodeFrame frame = Wire.NodeFrame.newBuilder()
                .setReply(encode(answer).setCorrelationId(correlationId))
                .build();
        send(frame.getSerializedSize() <= Limits.DEFAULT.answerBytes() ? frame : tooLarge(frame));
        readOneMore();
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
        CoordinatorSession opened = session;
        if (opened != null) {
            opened.readyAgain();
        }
    }
}
