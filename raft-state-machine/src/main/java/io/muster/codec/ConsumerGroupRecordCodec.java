package io.muster.codec;

import io.muster.codec.proto.Records;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.MemberProfile;
import io.muster.core.Partitions;
import io.muster.storage.StoreBatch;
import java.util.TreeMap;
import java.util.UUID;

/** Translates the records of consumer groups. */
final class ConsumerGroupRecordCodec implements ConsumerGroupRecord.Handler<StoreBatch> {
    private final StoreBatch writes;

    /** @param writes gets what a record changes, under keys within its group */
    ConsumerGroupRecordCodec(StoreBatch writes) {
        this.writes = writes;
    }

    private StoreBatch put(byte[] key, Records.Record.Builder record) {
        return writes.put(key, record.build().toByteArray());
    }

    private static Records.Record.Builder record() {
        return Records.Record.newBuilder();
    }

    @Override
    public StoreBatch on(ConsumerGroupRecord.GroupSet set) {
        return put(
                Section.GROUP.key(),
                record().setConsumerGroupSet(Records.ConsumerGroupSet.newBuilder()
                        .setGroupEpoch(set.groupEpoch())
                        .setAssignmentEpoch(set.assignmentEpoch())
                        .setAssignedAtMillis(set.assignedAtMillis())));
    }

    @Override
    public StoreBatch on(ConsumerGroupRecord.MemberSet set) {
        return put(Section.MEMBER.key(set.memberId()), record().setConsumerMemberSet(encode(set)));
    }

    @Override
    public StoreBatch on(ConsumerGroupRecord.MemberRemoved removed) {
        return GroupRecordCodec.removeMember(writes, removed.memberId());
    }

    @Override
    public StoreBatch on(ConsumerGroupRecord.PatternResolved resolved) {
        return put(
                Section.PATTERN.key(resolved.pattern()),
                record().setConsumerPatternResolved(
                                Records.ConsumerPatternResolved.newBuilder().addAllTopics(resolved.topics())));
    }

    @Override
    public StoreBatch on(ConsumerGroupRecord.PatternForgotten forgotten) {
        return writes.delete(Section.PATTERN.key(forgotten.pattern()));
    }

    @Override
    public StoreBatch on(ConsumerGroupRecord.TargetSet set) {
        return put(
                Section.TARGET.key(set.memberId()),
                record().setConsumerTargetSet(Records.ConsumerTargetSet.newBuilder()
                        .setPartitions(ValueCodec.encodeIds(set.partitions()))));
    }

    @Override
    public StoreBatch on(ConsumerGroupRecord.CurrentSet set) {
        return put(Section.CURRENT.key(set.memberId()), record().setConsumerCurrentSet(encode(set)));
    }

    private static Records.ConsumerMemberSet encode(ConsumerGroupRecord.MemberSet set) {
        Records.ConsumerMemberSet.Builder message = Records.ConsumerMemberSet.newBuilder()
                .setClient(ValueCodec.encode(set.client()))
                .setRebalanceTimeoutMillis(set.rebalanceTimeoutMillis())
                .addAllSubscribedTopicNames(set.subscribedTopicNames())
                .setSubscribedTopicRegex(set.subscribedTopicRegex());
        if (set.instanceId() != null) {
            message.setInstanceId(set.instanceId());
        }
        if (set.rackId() != null) {
            message.setRackId(set.rackId());
        }
        if (set.serverAssignor() != null) {
            message.setServerAssignor(set.serverAssignor());
        }
        return message.build();
    }

    private static Records.ConsumerCurrentSet encode(ConsumerGroupRecord.CurrentSet set) {
        Records.ConsumerCurrentSet.Builder message = Records.ConsumerCurrentSet.newBuilder()
                .setMemberEpoch(set.memberEpoch())
                .setPreviousMemberEpoch(set.previousMemberEpoch())
                .setAssigned(ValueCodec.encodeIds(set.assigned()))
                .setPendingRevocation(ValueCodec.encodeIds(set.pendingRevocation()));
        set.heldSince()
                .forEach((epoch, partitions) -> message.addHeldSince(Records.EpochPartitions.newBuilder()
                        .setEpoch(epoch)
                        .setPartitions(ValueCodec.encodeIds(partitions))));
        return message.build();
    }

    static ConsumerGroupRecord decode(Records.ConsumerGroupSet message) {
        return new ConsumerGroupRecord.GroupSet(
                message.getGroupEpoch(), message.getAssignmentEpoch(), message.getAssignedAtMillis());
    }

    static ConsumerGroupRecord decode(String memberId, Records.ConsumerMemberSet message) {
        return new ConsumerGroupRecord.MemberSet(
                new MemberProfile.Details(
                        memberId,
                        message.hasInstanceId() ? message.getInstanceId() : null,
                        message.hasRackId() ? message.getRackId() : null,
                        ValueCodec.decode(message.getClient()),
                        message.getRebalanceTimeoutMillis()),
                message.getSubscribedTopicNamesList(),
                message.getSubscribedTopicRegex(),
                message.hasServerAssignor() ? message.getServerAssignor() : null);
    }

    static ConsumerGroupRecord decode(String memberId, Records.ConsumerTargetSet message) {
        return new ConsumerGroupRecord.TargetSet(memberId, ValueCodec.decodeIds(message.getPartitions()));
    }

    static ConsumerGroupRecord decode(String memberId, Records.ConsumerCurrentSet message) {
        TreeMap<Integer, Partitions<UUID>> heldSince = new TreeMap<>();
        message.getHeldSinceList()
                .forEach(held -> heldSince.put(held.getEpoch(), ValueCodec.decodeIds(held.getPartitions())));
        return new ConsumerGroupRecord.CurrentSet(
                memberId,
                message.getMemberEpoch(),
                message.getPreviousMemberEpoch(),
                ValueCodec.decodeIds(message.getAssigned()),
                ValueCodec.decodeIds(message.getPendingRevocation()),
                heldSince);
    }
}
