package io.muster.codec;

import io.muster.codec.proto.Records;
import io.muster.core.MemberProfile;
import io.muster.core.StreamsGroupRecord;
import io.muster.storage.StoreBatch;

/** Translates the records of Streams groups. */
final class StreamsGroupRecordCodec implements StreamsGroupRecord.Handler<StoreBatch> {
    private final StoreBatch writes;

    /** @param writes gets what a record changes, under keys within its group */
    StreamsGroupRecordCodec(StoreBatch writes) {
        this.writes = writes;
    }

    private StoreBatch put(byte[] key, Records.Record.Builder record) {
        return writes.put(key, record.build().toByteArray());
    }

    private static Records.Record.Builder record() {
        return Records.Record.newBuilder();
    }

    @Override
    public StoreBatch on(StreamsGroupRecord.GroupSet set) {
        return put(Section.GROUP.key(), record().setStreamsGroupSet(encode(set)));
    }

    @Override
    public StoreBatch on(StreamsGroupRecord.TopologySet set) {
        return put(
                Section.TOPOLOGY.key(set.topology().epoch()),
                record().setStreamsTopologySet(TopologyCodec.encode(set.topology())));
    }

    @Override
    public StoreBatch on(StreamsGroupRecord.TopologyForgotten forgotten) {
        return writes.delete(Section.TOPOLOGY.key(forgotten.topologyEpoch()))
                .delete(Section.TOPOLOGY_DESCRIPTION.key(forgotten.topologyEpoch()));
    }

    @Override
    public StoreBatch on(StreamsGroupRecord.TopologyDescriptionSet set) {
        return put(
                Section.TOPOLOGY_DESCRIPTION.key(set.topologyEpoch()),
                record().setStreamsTopologyDescriptionSet(Records.StreamsTopologyDescriptionSet.newBuilder()
                        .setTopologyEpoch(set.topologyEpoch())
                        .setDescription(ValueCodec.encode(set.description()))));
    }

    @Override
    public StoreBatch on(StreamsGroupRecord.MemberSet set) {
        return put(Section.MEMBER.key(set.memberId()), record().setStreamsMemberSet(encode(set)));
    }

    @Override
    public StoreBatch on(StreamsGroupRecord.TaskOffsetsSet set) {
        return put(
                Section.TASK_OFFSETS.key(set.memberId()),
                record().setStreamsTaskOffsetsSet(Records.StreamsTaskOffsetsSet.newBuilder()
                        .addAllOffsets(ValueCodec.encodeOffsets(set.offsets()))
                        .addAllEndOffsets(ValueCodec.encodeOffsets(set.endOffsets()))));
    }

    @Override
    public StoreBatch on(StreamsGroupRecord.MemberRemoved removed) {
        return GroupRecordCodec.removeMember(writes, removed.memberId());
    }

    @Override
    public StoreBatch on(StreamsGroupRecord.TargetSet set) {
        return put(
                Section.TARGET.key(set.memberId()),
                record().setStreamsTargetSet(
                                Records.StreamsTargetSet.newBuilder().setTasks(ValueCodec.encode(set.tasks()))));
    }

    @Override
    public StoreBatch on(StreamsGroupRecord.CurrentSet set) {
        return put(Section.CURRENT.key(set.memberId()), record().setStreamsCurrentSet(encode(set)));
    }

    private static Records.StreamsGroupSet encode(StreamsGroupRecord.GroupSet set) {
        Records.StreamsGroupSet.Builder message = Records.StreamsGroupSet.newBuilder()
                .setGroupEpoch(set.groupEpoch())
                .setAssignmentEpoch(set.assignmentEpoch())
                .setAssignedAtMillis(set.assignedAtMillis())
                .setValidatedTopologyEpoch(set.validatedTopologyEpoch())
                .setNumStandbyReplicas(set.numStandbyReplicas())
                .addAllAssignmentConfigs(ValueCodec.encodeEntries(set.assignmentConfigs()))
                .setShutdownMemberId(set.shutdownMemberId());
        if (set.topologyInForce() != -1) {
            message.setTopologyInForce(set.topologyInForce());
        }
        return message.build();
    }

    private static Records.StreamsMemberSet encode(StreamsGroupRecord.MemberSet set) {
        Records.StreamsMemberSet.Builder message = Records.StreamsMemberSet.newBuilder()
                .setClient(ValueCodec.encode(set.client()))
                .setRebalanceTimeoutMillis(set.rebalanceTimeoutMillis())
                .setTopologyEpoch(set.topologyEpoch())
                .setProcessId(set.processId())
                .addAllClientTags(ValueCodec.encodeEntries(set.clientTags()));
        if (set.instanceId() != null) {
            message.setInstanceId(set.instanceId());
        }
        if (set.rackId() != null) {
            message.setRackId(set.rackId());
        }
        if (set.userEndpoint() != null) {
            message.setUserEndpoint(ValueCodec.encode(set.userEndpoint()));
        }
        return message.build();
    }

    private static Records.StreamsCurrentSet encode(StreamsGroupRecord.CurrentSet set) {
        return Records.StreamsCurrentSet.newBuilder()
                .setMemberEpoch(set.memberEpoch())
                .setPreviousMemberEpoch(set.previousMemberEpoch())
                .setAssigned(ValueCodec.encode(set.assigned()))
                .setPendingRevocation(ValueCodec.encode(set.pendingRevocation()))
                .build();
    }

    static StreamsGroupRecord decode(Records.StreamsGroupSet message) {
        return new StreamsGroupRecord.GroupSet(
                message.getGroupEpoch(),
                message.getAssignmentEpoch(),
                message.getAssignedAtMillis(),
                message.getValidatedTopologyEpoch(),
                message.hasTopologyInForce() ? message.getTopologyInForce() : -1,
                message.getNumStandbyReplicas(),
                ValueCodec.decodeEntries(message.getAssignmentConfigsList()),
                message.getShutdownMemberId());
    }

    static StreamsGroupRecord decode(Records.StreamsTopologyDescriptionSet message) {
        return new StreamsGroupRecord.TopologyDescriptionSet(
                message.getTopologyEpoch(), ValueCodec.decode(message.getDescription()));
    }

    static StreamsGroupRecord decode(String memberId, Records.StreamsMemberSet message) {
        return new StreamsGroupRecord.MemberSet(
                new MemberProfile.Details(
                        memberId,
                        message.hasInstanceId() ? message.getInstanceId() : null,
                        message.hasRackId() ? message.getRackId() : null,
                        ValueCodec.decode(message.getClient()),
                        message.getRebalanceTimeoutMillis()),
                message.getTopologyEpoch(),
                message.getProcessId(),
                message.hasUserEndpoint() ? ValueCodec.decode(message.getUserEndpoint()) : null,
                ValueCodec.decodeEntries(message.getClientTagsList()));
    }

    static StreamsGroupRecord decode(String memberId, Records.StreamsTaskOffsetsSet message) {
        return new StreamsGroupRecord.TaskOffsetsSet(
                memberId,
                ValueCodec.decodeOffsets(message.getOffsetsList()),
                ValueCodec.decodeOffsets(message.getEndOffsetsList()));
    }

    static StreamsGroupRecord decode(String memberId, Records.StreamsTargetSet message) {
        return new StreamsGroupRecord.TargetSet(memberId, ValueCodec.decode(message.getTasks()));
    }

    static StreamsGroupRecord decode(String memberId, Records.StreamsCurrentSet message) {
        return new StreamsGroupRecord.CurrentSet(
                memberId,
                message.getMemberEpoch(),
                message.getPreviousMemberEpoch(),
                ValueCodec.decode(message.getAssigned()),
                ValueCodec.decode(message.getPendingRevocation()));
    }
}
