package io.muster.codec;

import com.google.protobuf.ByteString;
import io.muster.codec.proto.Records;
import io.muster.core.Bytes;
import io.muster.core.ClientInfo;
import io.muster.core.StreamsRecord;

/** Translates the records of Streams groups. */
final class StreamsRecords {
    private StreamsRecords() {}

    static Records.Record encode(StreamsRecord record) {
        Records.Record.Builder message = Records.Record.newBuilder();
        if (record instanceof StreamsRecord.GroupSet set) {
            message.setStreamsGroupSet(encode(set));
        } else if (record instanceof StreamsRecord.TopologySet set) {
            message.setStreamsTopologySet(TopologyRecords.encode(set.topology()));
        } else if (record instanceof StreamsRecord.TopologyForgotten forgotten) {
            message.setStreamsTopologyForgotten(
                    Records.StreamsTopologyForgotten.newBuilder().setTopologyEpoch(forgotten.topologyEpoch()));
        } else if (record instanceof StreamsRecord.TopologyDescriptionSet set) {
            message.setStreamsTopologyDescriptionSet(Records.StreamsTopologyDescriptionSet.newBuilder()
                    .setTopologyEpoch(set.topologyEpoch())
                    .setDescription(ByteString.copyFrom(set.description().toArray())));
        } else if (record instanceof StreamsRecord.MemberSet set) {
            message.setStreamsMemberSet(encode(set));
        } else if (record instanceof StreamsRecord.TaskOffsetsSet set) {
            message.setStreamsTaskOffsetsSet(Records.StreamsTaskOffsetsSet.newBuilder()
                    .setMemberId(set.memberId())
                    .addAllOffsets(RecordValues.encodeOffsets(set.offsets()))
                    .addAllEndOffsets(RecordValues.encodeOffsets(set.endOffsets())));
        } else if (record instanceof StreamsRecord.MemberRemoved removed) {
            message.setStreamsMemberRemoved(
                    Records.StreamsMemberRemoved.newBuilder().setMemberId(removed.memberId()));
        } else if (record instanceof StreamsRecord.TargetSet set) {
            message.setStreamsTargetSet(Records.StreamsTargetSet.newBuilder()
                    .setMemberId(set.memberId())
                    .setTasks(RecordValues.encode(set.tasks())));
        } else if (record instanceof StreamsRecord.CurrentSet set) {
            message.setStreamsCurrentSet(encode(set));
        }
        return message.build();
    }

    private static Records.StreamsGroupSet encode(StreamsRecord.GroupSet set) {
        Records.StreamsGroupSet.Builder message = Records.StreamsGroupSet.newBuilder()
                .setGroupEpoch(set.groupEpoch())
                .setAssignmentEpoch(set.assignmentEpoch())
                .setAssignedAtMillis(set.assignedAtMillis())
                .setValidatedTopologyEpoch(set.validatedTopologyEpoch())
                .setNumStandbyReplicas(set.numStandbyReplicas())
                .addAllAssignmentConfigs(RecordValues.encodeEntries(set.assignmentConfigs()))
                .setShutdownMemberId(set.shutdownMemberId());
        if (set.topologyInForce() != -1) {
            message.setTopologyInForce(set.topologyInForce());
        }
        return message.build();
    }

    private static Records.StreamsMemberSet encode(StreamsRecord.MemberSet set) {
        Records.StreamsMemberSet.Builder message = Records.StreamsMemberSet.newBuilder()
                .setMemberId(set.memberId())
                .setClientId(set.client().clientId())
                .setClientHost(set.client().clientHost())
                .setRebalanceTimeoutMillis(set.rebalanceTimeoutMillis())
                .setTopologyEpoch(set.topologyEpoch())
                .setProcessId(set.processId())
                .addAllClientTags(RecordValues.encodeEntries(set.clientTags()));
        if (set.instanceId() != null) {
            message.setInstanceId(set.instanceId());
        }
        if (set.rackId() != null) {
            message.setRackId(set.rackId());
        }
        if (set.userEndpoint() != null) {
            message.setUserEndpoint(RecordValues.encode(set.userEndpoint()));
        }
        return message.build();
    }

    private static Records.StreamsCurrentSet encode(StreamsRecord.CurrentSet set) {
        return Records.StreamsCurrentSet.newBuilder()
                .setMemberId(set.memberId())
                .setMemberEpoch(set.memberEpoch())
                .setPreviousMemberEpoch(set.previousMemberEpoch())
                .setAssigned(RecordValues.encode(set.assigned()))
                .setPendingRevocation(RecordValues.encode(set.pendingRevocation()))
                .build();
    }

    static StreamsRecord decode(Records.StreamsGroupSet message) {
        return new StreamsRecord.GroupSet(
                message.getGroupEpoch(),
                message.getAssignmentEpoch(),
                message.getAssignedAtMillis(),
                message.getValidatedTopologyEpoch(),
                message.hasTopologyInForce() ? message.getTopologyInForce() : -1,
                message.getNumStandbyReplicas(),
                RecordValues.decodeEntries(message.getAssignmentConfigsList()),
                message.getShutdownMemberId());
    }

    static StreamsRecord decode(Records.StreamsTopologySet message) {
        return new StreamsRecord.TopologySet(TopologyRecords.decode(message));
    }

    static StreamsRecord decode(Records.StreamsTopologyDescriptionSet message) {
        return new StreamsRecord.TopologyDescriptionSet(
                message.getTopologyEpoch(),
                Bytes.copyOf(message.getDescription().toByteArray()));
    }

    static StreamsRecord decode(Records.StreamsMemberSet message) {
        return new StreamsRecord.MemberSet(
                message.getMemberId(),
                message.hasInstanceId() ? message.getInstanceId() : null,
                message.hasRackId() ? message.getRackId() : null,
                new ClientInfo(message.getClientId(), message.getClientHost()),
                message.getRebalanceTimeoutMillis(),
                message.getTopologyEpoch(),
                message.getProcessId(),
                message.hasUserEndpoint() ? RecordValues.decode(message.getUserEndpoint()) : null,
                RecordValues.decodeEntries(message.getClientTagsList()));
    }

    static StreamsRecord decode(Records.StreamsTaskOffsetsSet message) {
        return new StreamsRecord.TaskOffsetsSet(
                message.getMemberId(),
                RecordValues.decodeOffsets(message.getOffsetsList()),
                RecordValues.decodeOffsets(message.getEndOffsetsList()));
    }

    static StreamsRecord decode(Records.StreamsTargetSet message) {
        return new StreamsRecord.TargetSet(message.getMemberId(), RecordValues.decode(message.getTasks()));
    }

    static StreamsRecord decode(Records.StreamsCurrentSet message) {
        return new StreamsRecord.CurrentSet(
                message.getMemberId(),
                message.getMemberEpoch(),
                message.getPreviousMemberEpoch(),
                RecordValues.decode(message.getAssigned()),
                RecordValues.decode(message.getPendingRevocation()));
    }
}
