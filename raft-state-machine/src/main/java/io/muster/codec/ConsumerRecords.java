package io.muster.codec;

import io.muster.codec.proto.Records;
import io.muster.core.ClientInfo;
import io.muster.core.ConsumerRecord;
import io.muster.core.Partitions;
import java.util.TreeMap;
import java.util.UUID;

/** Translates the records of consumer groups. */
final class ConsumerRecords {
    private ConsumerRecords() {}

    static Records.Record encode(ConsumerRecord record) {
        Records.Record.Builder message = Records.Record.newBuilder();
        if (record instanceof ConsumerRecord.GroupSet set) {
            message.setConsumerGroupSet(Records.ConsumerGroupSet.newBuilder()
                    .setGroupEpoch(set.groupEpoch())
                    .setAssignmentEpoch(set.assignmentEpoch())
                    .setAssignedAtMillis(set.assignedAtMillis()));
        } else if (record instanceof ConsumerRecord.MemberSet set) {
            message.setConsumerMemberSet(encode(set));
        } else if (record instanceof ConsumerRecord.MemberRemoved removed) {
            message.setConsumerMemberRemoved(
                    Records.ConsumerMemberRemoved.newBuilder().setMemberId(removed.memberId()));
        } else if (record instanceof ConsumerRecord.PatternResolved resolved) {
            message.setConsumerPatternResolved(Records.ConsumerPatternResolved.newBuilder()
                    .setPattern(resolved.pattern())
                    .addAllTopics(resolved.topics()));
        } else if (record instanceof ConsumerRecord.PatternForgotten forgotten) {
            message.setConsumerPatternForgotten(
                    Records.ConsumerPatternForgotten.newBuilder().setPattern(forgotten.pattern()));
        } else if (record instanceof ConsumerRecord.TargetSet set) {
            message.setConsumerTargetSet(Records.ConsumerTargetSet.newBuilder()
                    .setMemberId(set.memberId())
                    .addAllPartitions(RecordValues.encodeIds(set.partitions())));
        } else if (record instanceof ConsumerRecord.CurrentSet set) {
            message.setConsumerCurrentSet(encode(set));
        }
        return message.build();
    }

    private static Records.ConsumerMemberSet encode(ConsumerRecord.MemberSet set) {
        Records.ConsumerMemberSet.Builder message = Records.ConsumerMemberSet.newBuilder()
                .setMemberId(set.memberId())
                .setClientId(set.client().clientId())
                .setClientHost(set.client().clientHost())
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

    private static Records.ConsumerCurrentSet encode(ConsumerRecord.CurrentSet set) {
        Records.ConsumerCurrentSet.Builder message = Records.ConsumerCurrentSet.newBuilder()
                .setMemberId(set.memberId())
                .setMemberEpoch(set.memberEpoch())
                .setPreviousMemberEpoch(set.previousMemberEpoch())
                .addAllAssigned(RecordValues.encodeIds(set.assigned()))
                .addAllPendingRevocation(RecordValues.encodeIds(set.pendingRevocation()));
        set.heldSince()
                .forEach((epoch, partitions) -> message.addHeldSince(Records.EpochPartitions.newBuilder()
                        .setEpoch(epoch)
                        .addAllPartitions(RecordValues.encodeIds(partitions))));
        return message.build();
    }

    static ConsumerRecord decode(Records.ConsumerGroupSet message) {
        return new ConsumerRecord.GroupSet(
                message.getGroupEpoch(), message.getAssignmentEpoch(), message.getAssignedAtMillis());
    }

    static ConsumerRecord decode(Records.ConsumerMemberSet message) {
        return new ConsumerRecord.MemberSet(
                message.getMemberId(),
                message.hasInstanceId() ? message.getInstanceId() : null,
                message.hasRackId() ? message.getRackId() : null,
                new ClientInfo(message.getClientId(), message.getClientHost()),
                message.getRebalanceTimeoutMillis(),
                message.getSubscribedTopicNamesList(),
                message.getSubscribedTopicRegex(),
                message.hasServerAssignor() ? message.getServerAssignor() : null);
    }

    static ConsumerRecord decode(Records.ConsumerTargetSet message) {
        return new ConsumerRecord.TargetSet(message.getMemberId(), RecordValues.decodeIds(message.getPartitionsList()));
    }

    static ConsumerRecord decode(Records.ConsumerCurrentSet message) {
        TreeMap<Integer, Partitions<UUID>> heldSince = new TreeMap<>();
        message.getHeldSinceList()
                .forEach(held -> heldSince.put(held.getEpoch(), RecordValues.decodeIds(held.getPartitionsList())));
        return new ConsumerRecord.CurrentSet(
                message.getMemberId(),
                message.getMemberEpoch(),
                message.getPreviousMemberEpoch(),
                RecordValues.decodeIds(message.getAssignedList()),
                RecordValues.decodeIds(message.getPendingRevocationList()),
                heldSince);
    }
}
