package io.muster.gateway.coordinator;

import io.muster.codec.ValueCodec;
import io.muster.core.GroupError;
import io.muster.core.Limits;
import io.muster.core.Response;
import io.muster.core.TopicInfo;
import io.muster.gateway.coordinator.PendingRequest.Question;
import io.muster.rpc.CoordinatorAnswer;
import io.muster.rpc.NodeFrames;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.TopicReport;
import io.muster.wire.CommandCodec;
import io.muster.wire.InvalidFrameException;
import io.muster.wire.ListingCodec;
import io.muster.wire.ResponseCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Translates what a gateway asks a node and reports to it, and the answers. */
final class GatewayFrames {
    /** Of the frame around a request; ample. */
    private static final int FRAMING_BYTES = 64;

    static final int MAX_REQUEST_BYTES = Limits.DEFAULT.messageBytes() - FRAMING_BYTES;

    private GatewayFrames() {}

    static Wire.Request encode(PendingRequest request) {
        Wire.Request.Builder message = Wire.Request.newBuilder().setCorrelationId(request.number());
        return request.asked() instanceof Question.Decide decide
                ? message.setCommand(CommandCodec.encode(decide.command())).build()
                : message.setListShard(((Question.ListGroups) request.asked()).shard())
                        .build();
    }

    /** What a node of a newer version answers may be unknown here: that is an answer, too. */
    static CoordinatorAnswer decode(Wire.Reply reply) {
        try {
            return switch (reply.getAnswerCase()) {
                case NOT_LEADER -> new CoordinatorAnswer.NotLeader(NodeFrames.decode(reply.getNotLeader()));
                case LISTINGS ->
                    new CoordinatorAnswer.Listed(
                            ListingCodec.decode(reply.getListings().getGroupsList()));
                case RESPONSE, ANSWER_NOT_SET ->
                    new CoordinatorAnswer.Decided(ResponseCodec.decode(reply.getResponse()));
            };
        } catch (InvalidFrameException e) {
            return new CoordinatorAnswer.Decided(new Response.Refused(
                    GroupError.COORDINATOR_NOT_AVAILABLE, "The node speaks a newer version: " + e.getMessage()));
        }
    }

    /** Usually one frame; of a report that is too large for one, its halves. */
    static List<Wire.GatewayFrame> of(TopicLease lease, TopicReport report) {
        Wire.GatewayFrame frame = frameOf(lease, report);
        if (frame.getSerializedSize() <= Limits.DEFAULT.messageBytes()
                || report.present().size() < 2) {
            return List.of(frame);
        }
        int half = report.present().size() / 2;
        List<TopicInfo> present = report.present();
        List<Wire.GatewayFrame> frames = new ArrayList<>(
                of(lease, new TopicReport(present.subList(0, half), report.absent(), report.deleted())));
        frames.addAll(of(lease, new TopicReport(present.subList(half, present.size()), Set.of(), Set.of())));
        return frames;
    }

    private static Wire.GatewayFrame frameOf(TopicLease lease, TopicReport report) {
        return Wire.GatewayFrame.newBuilder()
                .setTopicReport(Wire.TopicReport.newBuilder()
                        .setShard(lease.shard())
                        .setLease(lease.number())
                        .addAllPresent(report.present().stream()
                                .map(ValueCodec::encode)
                                .toList())
                        .addAllAbsent(new TreeSet<>(report.absent()))
                        .addAllDeleted(new TreeSet<>(report.deleted())))
                .build();
    }
}
