package io.muster.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.muster.codec.proto.Records;
import io.muster.core.CommonRecord;
import io.muster.core.ConsumerRecord;
import io.muster.core.GroupRecord;
import io.muster.core.StreamsRecord;
import java.util.TreeSet;

/** Translates records to bytes and back; equal records have equal bytes. */
public final class GroupRecordCodec {
    private GroupRecordCodec() {}

    public static byte[] encode(GroupRecord record) {
        return message(record).toByteArray();
    }

    /**
     * The record of these bytes.
     *
     * @throws UnknownRecordException if this version does not know the kind of record, or the bytes are no record
     */
    public static GroupRecord decode(byte[] bytes) {
        try {
            return decode(Records.Record.parseFrom(bytes));
        } catch (UnknownRecordException e) {
            throw e;
        } catch (InvalidProtocolBufferException | RuntimeException e) {
            throw new UnknownRecordException("not a record: " + e.getMessage(), e);
        }
    }

    static Records.Record message(GroupRecord record) {
        if (record instanceof CommonRecord common) {
            return CommonRecords.encode(common);
        }
        return record instanceof ConsumerRecord consumer
                ? ConsumerRecords.encode(consumer)
                : StreamsRecords.encode((StreamsRecord) record);
    }

    static GroupRecord decode(Records.Record message) {
        return switch (message.getRecordCase()) {
            case GROUP_DELETED -> new CommonRecord.GroupDeleted();
            case CLAIM_SET -> CommonRecords.decode(message.getClaimSet());
            case HISTORY_APPENDED -> CommonRecords.decode(message.getHistoryAppended());
            case HISTORY_FORGOTTEN -> new CommonRecord.HistoryForgotten();
            case CONFIGS_SET ->
                new CommonRecord.ConfigsSet(
                        RecordValues.decodeEntries(message.getConfigsSet().getConfigsList()));
            case TOPIC_BASIS_SET ->
                new CommonRecord.TopicBasisSet(
                        RecordValues.decodeTopics(message.getTopicBasisSet().getTopicsList()));
            case COMMIT_CONNECTION_SET ->
                new CommonRecord.CommitConnectionSet(
                        message.getCommitConnectionSet().getMemberId(),
                        message.getCommitConnectionSet().getConnectionId());
            case CONSUMER_GROUP_SET -> ConsumerRecords.decode(message.getConsumerGroupSet());
            case CONSUMER_MEMBER_SET -> ConsumerRecords.decode(message.getConsumerMemberSet());
            case CONSUMER_MEMBER_REMOVED ->
                new ConsumerRecord.MemberRemoved(
                        message.getConsumerMemberRemoved().getMemberId());
            case CONSUMER_PATTERN_RESOLVED ->
                new ConsumerRecord.PatternResolved(
                        message.getConsumerPatternResolved().getPattern(),
                        new TreeSet<>(message.getConsumerPatternResolved().getTopicsList()));
            case CONSUMER_PATTERN_FORGOTTEN ->
                new ConsumerRecord.PatternForgotten(
                        message.getConsumerPatternForgotten().getPattern());
            case CONSUMER_TARGET_SET -> ConsumerRecords.decode(message.getConsumerTargetSet());
            case CONSUMER_CURRENT_SET -> ConsumerRecords.decode(message.getConsumerCurrentSet());
            case STREAMS_GROUP_SET -> StreamsRecords.decode(message.getStreamsGroupSet());
            case STREAMS_TOPOLOGY_SET -> StreamsRecords.decode(message.getStreamsTopologySet());
            case STREAMS_TOPOLOGY_DESCRIPTION_SET -> StreamsRecords.decode(message.getStreamsTopologyDescriptionSet());
            case STREAMS_TOPOLOGY_FORGOTTEN ->
                new StreamsRecord.TopologyForgotten(
                        message.getStreamsTopologyForgotten().getTopologyEpoch());
            case STREAMS_MEMBER_SET -> StreamsRecords.decode(message.getStreamsMemberSet());
            case STREAMS_TASK_OFFSETS_SET -> StreamsRecords.decode(message.getStreamsTaskOffsetsSet());
            case STREAMS_MEMBER_REMOVED ->
                new StreamsRecord.MemberRemoved(
                        message.getStreamsMemberRemoved().getMemberId());
            case STREAMS_TARGET_SET -> StreamsRecords.decode(message.getStreamsTargetSet());
            case STREAMS_CURRENT_SET -> StreamsRecords.decode(message.getStreamsCurrentSet());
            case RECORD_NOT_SET ->
                throw new UnknownRecordException(
                        "a record of a kind that this version does not know; a newer version wrote it");
        };
    }
}
