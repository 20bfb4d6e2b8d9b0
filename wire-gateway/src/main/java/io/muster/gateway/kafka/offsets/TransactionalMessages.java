package io.muster.gateway.kafka.offsets;

import io.muster.core.CommitCommand;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * TxnOffsetCommit. Without a member's fields it could not be fenced, so versions 0 to 2 go upstream as 3; it never crosses from 4 to
 * 5 or back, since version 5 adds the partition to the transaction by itself.
 *
 * @param original the client's
 * @param version the client's
 * @param upstreamMaxVersion the newest that upstream has
 */
record TransactionalMessages(TxnOffsetCommitRequestData original, short version, short upstreamMaxVersion)
        implements CommitMessages {
    private static final short FIRST_WITH_TOPIC_IDS = 6;
    private static final short FIRST_THAT_ADDS_PARTITIONS = 5;
    private static final short FIRST_WITH_MEMBER = 3;

    /** Whether upstream has no version in which the request could be told. */
    boolean cannotBeTold() {
        return version >= FIRST_THAT_ADDS_PARTITIONS && upstreamVersion() < FIRST_THAT_ADDS_PARTITIONS;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.TXN_OFFSET_COMMIT;
    }

    @Override
    public CommitCommand.Kind kind() {
        return CommitCommand.Kind.TRANSACTIONAL;
    }

    @Override
    public short upstreamVersion() {
        return (short) Math.min(version, upstreamMaxVersion);
    }

    @Override
    public short versionUnderClaim() {
        return (short) Math.max(upstreamVersion(), FIRST_WITH_MEMBER);
    }

    @Override
    public short firstWithTopicIds() {
        return FIRST_WITH_TOPIC_IDS;
    }

    @Override
    public OffsetCommitRequestData request() {
        return new OffsetCommitRequestData()
                .setGroupId(original.groupId())
                .setMemberId(original.memberId())
                .setGenerationIdOrMemberEpoch(original.generationIdOrMemberEpoch())
                .setGroupInstanceId(original.groupInstanceId())
                .setTopics(original.topics().stream()
                        .map(TransactionalMessages::plain)
                        .toList());
    }

    private static OffsetCommitRequestTopic plain(TxnOffsetCommitRequestTopic topic) {
        return new OffsetCommitRequestTopic()
                .setName(topic.name())
                .setTopicId(topic.topicId())
                .setPartitions(topic.partitions().stream()
                        .map(partition -> new OffsetCommitRequestPartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setCommittedOffset(partition.committedOffset())
                                .setCommittedLeaderEpoch(partition.committedLeaderEpoch())
                                .setCommittedMetadata(partition.committedMetadata()))
                        .toList());
    }

    @Override
    public ApiMessage toUpstream(OffsetCommitRequestData changed) {
        return new TxnOffsetCommitRequestData()
                .setTransactionalId(original.transactionalId())
                .setProducerId(original.producerId())
                .setProducerEpoch(original.producerEpoch())
                .setGroupId(changed.groupId())
                .setMemberId(changed.memberId())
                .setGenerationIdOrMemberEpoch(changed.generationIdOrMemberEpoch())
                .setGroupInstanceId(changed.groupInstanceId())
                .setTopics(changed.topics().stream()
                        .map(TransactionalMessages::transactional)
                        .toList());
    }

    private static TxnOffsetCommitRequestTopic transactional(OffsetCommitRequestTopic topic) {
        return new TxnOffsetCommitRequestTopic()
                .setName(topic.name())
                .setTopicId(topic.topicId())
                .setPartitions(topic.partitions().stream()
                        .map(partition -> new TxnOffsetCommitRequestPartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setCommittedOffset(partition.committedOffset())
                                .setCommittedLeaderEpoch(partition.committedLeaderEpoch())
                                .setCommittedMetadata(partition.committedMetadata()))
                        .toList());
    }

    @Override
    public OffsetCommitResponseData fromUpstream(ApiMessage response) {
        OffsetCommitResponseData plain = new OffsetCommitResponseData();
        for (TxnOffsetCommitResponseTopic topic : ((TxnOffsetCommitResponseData) response).topics()) {
            OffsetCommitResponseTopic same =
                    new OffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
            topic.partitions()
                    .forEach(partition -> same.partitions()
                            .add(new OffsetCommitResponsePartition()
                                    .setPartitionIndex(partition.partitionIndex())
                                    .setErrorCode(partition.errorCode())));
            plain.topics().add(same);
        }
        return plain;
    }

    @Override
    public ApiMessage toClient(OffsetCommitResponseData answer) {
        TxnOffsetCommitResponseData transactional = new TxnOffsetCommitResponseData();
        for (OffsetCommitResponseTopic topic : answer.topics()) {
            TxnOffsetCommitResponseTopic same =
                    new TxnOffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
            topic.partitions()
                    .forEach(partition -> same.partitions()
                            .add(new TxnOffsetCommitResponsePartition()
                                    .setPartitionIndex(partition.partitionIndex())
                                    .setErrorCode(partition.errorCode())));
            transactional.topics().add(same);
        }
        return transactional;
    }
}
