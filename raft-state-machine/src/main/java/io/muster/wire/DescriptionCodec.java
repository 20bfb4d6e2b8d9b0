package io.muster.wire;

import io.muster.codec.TopologyCodec;
import io.muster.codec.UnknownRecordException;
import io.muster.codec.ValueCodec;
import io.muster.codec.proto.Values;
import io.muster.core.GroupDescription;
import io.muster.core.GroupDescription.ConsumerMember;
import io.muster.core.GroupDescription.StreamsMember;
import io.muster.core.GroupInspection;
import io.muster.core.HistoryEntry;
import io.muster.core.Response;
import io.muster.rpc.proto.Wire;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** Translates descriptions and inspections of groups. */
public final class DescriptionCodec {
    private DescriptionCodec() {}

    static Wire.ConsumerDescription encode(GroupDescription.Consumer description) {
        Wire.ConsumerDescription.Builder message = Wire.ConsumerDescription.newBuilder()
                .setGroupId(description.groupId())
                .setState(description.state().name())
                .setGroupEpoch(description.groupEpoch())
                .setAssignmentEpoch(description.assignmentEpoch())
                .setAssignorName(description.assignorName());
        description.members().forEach(member -> message.addMembers(encode(member)));
        description
                .topicNames()
                .forEach((id, name) -> message.addTopicNames(Wire.ConsumerDescription.TopicName.newBuilder()
                        .setIdHigh(id.getMostSignificantBits())
                        .setIdLow(id.getLeastSignificantBits())
                        .setName(name)));
        return message.build();
    }

    static GroupDescription.Consumer decode(Wire.ConsumerDescription message) {
        SortedMap<UUID, String> topicNames = new TreeMap<>();
        message.getTopicNamesList()
                .forEach(topic -> topicNames.put(new UUID(topic.getIdHigh(), topic.getIdLow()), topic.getName()));
        return new GroupDescription.Consumer(
                message.getGroupId(),
                NameCodec.decodeState(message.getState()),
                message.getGroupEpoch(),
                message.getAssignmentEpoch(),
                message.getAssignorName(),
                message.getMembersList().stream().map(DescriptionCodec::decode).toList(),
                topicNames);
    }

    private static Wire.ConsumerDescription.Member encode(ConsumerMember member) {
        Wire.ConsumerDescription.Member.Builder message = Wire.ConsumerDescription.Member.newBuilder()
                .setMemberId(member.memberId())
                .setMemberEpoch(member.memberEpoch())
                .setClient(ValueCodec.encode(member.client()))
                .addAllSubscribedTopicNames(member.subscribedTopicNames())
                .setSubscribedTopicRegex(member.subscribedTopicRegex())
                .setAssignment(ValueCodec.encodeIds(member.assignment()))
                .setTargetAssignment(ValueCodec.encodeIds(member.targetAssignment()));
        if (member.instanceId() != null) {
            message.setInstanceId(member.instanceId());
        }
        if (member.rackId() != null) {
            message.setRackId(member.rackId());
        }
        return message.build();
    }

    private static ConsumerMember decode(Wire.ConsumerDescription.Member message) {
        return new ConsumerMember(
                new GroupDescription.MemberIdentity(
                        message.getMemberId(),
                        message.hasInstanceId() ? message.getInstanceId() : null,
                        message.hasRackId() ? message.getRackId() : null,
                        message.getMemberEpoch(),
                        ValueCodec.decode(message.getClient())),
                message.getSubscribedTopicNamesList(),
                message.getSubscribedTopicRegex(),
                ValueCodec.decodeIds(message.getAssignment()),
                ValueCodec.decodeIds(message.getTargetAssignment()));
    }

    static Wire.StreamsDescription encode(GroupDescription.Streams description) {
        Wire.StreamsDescription.Builder message = Wire.StreamsDescription.newBuilder()
                .setGroupId(description.groupId())
                .setState(description.state().name())
                .setGroupEpoch(description.groupEpoch())
                .setAssignmentEpoch(description.assignmentEpoch())
                .setAssignorName(description.assignorName())
                .setTopologyDescription(ValueCodec.encode(description.topologyDescription()));
        if (description.topology() != null) {
            message.setTopology(TopologyCodec.encode(description.topology()));
        }
        description.members().forEach(member -> message.addMembers(encode(member)));
        return message.build();
    }

    static GroupDescription.Streams decode(Wire.StreamsDescription message) {
        return new GroupDescription.Streams(
                message.getGroupId(),
                NameCodec.decodeState(message.getState()),
                message.getGroupEpoch(),
                message.getAssignmentEpoch(),
                message.getAssignorName(),
                message.hasTopology() ? TopologyCodec.decode(message.getTopology()) : null,
                message.getMembersList().stream().map(DescriptionCodec::decode).toList(),
                ValueCodec.decode(message.getTopologyDescription()));
    }

    private static Wire.StreamsDescription.Member encode(StreamsMember member) {
        Wire.StreamsDescription.Member.Builder message = Wire.StreamsDescription.Member.newBuilder()
                .setMemberId(member.memberId())
                .setMemberEpoch(member.memberEpoch())
                .setClient(ValueCodec.encode(member.client()))
                .setTopologyEpoch(member.topologyEpoch())
                .setProcessId(member.processId())
                .addAllClientTags(ValueCodec.encodeEntries(member.clientTags()))
                .addAllTaskOffsets(ValueCodec.encodeOffsets(member.reported().offsets()))
                .addAllTaskEndOffsets(ValueCodec.encodeOffsets(member.reported().endOffsets()))
                .setAssignment(ValueCodec.encode(member.assignment()))
                .setTargetAssignment(ValueCodec.encode(member.targetAssignment()));
        if (member.instanceId() != null) {
            message.setInstanceId(member.instanceId());
        }
        if (member.rackId() != null) {
            message.setRackId(member.rackId());
        }
        if (member.userEndpoint() != null) {
            message.setUserEndpoint(ValueCodec.encode(member.userEndpoint()));
        }
        return message.build();
    }

    private static StreamsMember decode(Wire.StreamsDescription.Member message) {
        return new StreamsMember(
                new GroupDescription.MemberIdentity(
                        message.getMemberId(),
                        message.hasInstanceId() ? message.getInstanceId() : null,
                        message.hasRackId() ? message.getRackId() : null,
                        message.getMemberEpoch(),
                        ValueCodec.decode(message.getClient())),
                message.getTopologyEpoch(),
                message.getProcessId(),
                message.hasUserEndpoint() ? ValueCodec.decode(message.getUserEndpoint()) : null,
                ValueCodec.decodeEntries(message.getClientTagsList()),
                new GroupDescription.ReportedOffsets(
                        ValueCodec.decodeOffsets(message.getTaskOffsetsList()),
                        ValueCodec.decodeOffsets(message.getTaskEndOffsetsList())),
                ValueCodec.decode(message.getAssignment()),
                ValueCodec.decode(message.getTargetAssignment()));
    }

    /** The message of an inspection. */
    public static Wire.Inspection encode(GroupInspection inspection) {
        Wire.Inspection.Builder message =
                Wire.Inspection.newBuilder().setClaim(inspection.claim()).addAllWaiting(inspection.waiting());
        if (inspection.description() instanceof GroupDescription.Consumer consumer) {
            message.setConsumer(encode(consumer));
        } else if (inspection.description() instanceof GroupDescription.Streams streams) {
            message.setStreams(encode(streams));
        }
        inspection.history().forEach(entry -> message.addHistory(ValueCodec.encode(entry)));
        return message.build();
    }

    /** The inspection of a message; {@link InvalidFrameException} if it holds what this version does not know. */
    public static GroupInspection decode(Wire.Inspection message) {
        GroupDescription description = switch (message.getDescriptionCase()) {
            case CONSUMER -> decode(message.getConsumer());
            case STREAMS -> decode(message.getStreams());
            case DESCRIPTION_NOT_SET -> throw new InvalidFrameException("an inspection without a group");
        };
        return new GroupInspection(
                description, message.getClaim(), message.getWaitingList(), history(message.getHistoryList()));
    }

    /** The message of a history. */
    public static Wire.GroupHistory encode(Response.GroupHistory history) {
        return Wire.GroupHistory.newBuilder()
                .addAllEntries(
                        history.entries().stream().map(ValueCodec::encode).toList())
                .build();
    }

    /** The history of a message; {@link InvalidFrameException} if it holds what this version does not know. */
    public static Response.GroupHistory decode(Wire.GroupHistory message) {
        return new Response.GroupHistory(history(message.getEntriesList()));
    }

    private static List<HistoryEntry> history(List<Values.HistoryEntry> messages) {
        try {
            return messages.stream().map(ValueCodec::decode).toList();
        } catch (UnknownRecordException e) {
            throw new InvalidFrameException(String.valueOf(e.getMessage()));
        }
    }
}
