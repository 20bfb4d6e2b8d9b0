package io.muster.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.muster.codec.proto.Records;
import io.muster.core.CommonRecord;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.GroupRecord;
import io.muster.core.StreamsGroupRecord;
import io.muster.storage.StoreBatch;
import java.util.TreeSet;

/**
 * Says what a record changes in the store, which is also what the log carries of it: most set the value of a key, some remove keys. Equal
 * records have equal bytes.
 */
public final class GroupRecordCodec {
    private GroupRecordCodec() {}

    /** Adds what the record changes, under keys within its group. */
    static void encode(GroupRecord record, StoreBatch writes) {
        record.accept(new GroupRecord.Handler<StoreBatch>() {
            @Override
            public StoreBatch on(CommonRecord common) {
                return common.accept(new CommonRecordCodec(writes));
            }

            @Override
            public StoreBatch on(ConsumerGroupRecord consumer) {
                return consumer.accept(new ConsumerGroupRecordCodec(writes));
            }

            @Override
            public StoreBatch on(StreamsGroupRecord streams) {
                return streams.accept(new StreamsGroupRecordCodec(writes));
            }
        });
    }

    static StoreBatch removeMember(StoreBatch writes, String memberId) {
        for (Section section : Section.ofAMember()) {
            writes.delete(section.key(memberId));
        }
        return writes;
    }

    /**
     * The record that a value of the store holds.
     *
     * @param key within the group
     * @throws UnknownRecordException if this version does not know the kind of record, or the bytes are no record
     */
    static GroupRecord decode(byte[] key, byte[] value) {
        try {
            return decode(key, Records.Record.parseFrom(value));
        } catch (UnknownRecordException e) {
            throw e;
        } catch (InvalidProtocolBufferException | RuntimeException e) {
            throw new UnknownRecordException("not a record: " + e.getMessage(), e);
        }
    }

    private static GroupRecord decode(byte[] key, Records.Record message) {
        return switch (message.getRecordCase()) {
            case CLAIM_SET -> CommonRecordCodec.decode(message.getClaimSet());
            case HISTORY_APPENDED -> new CommonRecord.HistoryAppended(ValueCodec.decode(message.getHistoryAppended()));
            case CONFIGS_SET ->
                new CommonRecord.ConfigsSet(
                        ValueCodec.decodeEntries(message.getConfigsSet().getConfigsList()));
            case TOPIC_BASIS_SET -> CommonRecordCodec.decode(message.getTopicBasisSet());
            case COMMIT_CONNECTION_SET ->
                new CommonRecord.CommitConnectionSet(
                        Section.textOf(key), CommonRecordCodec.decode(message.getCommitConnectionSet()));
            case CONSUMER_GROUP_SET -> ConsumerGroupRecordCodec.decode(message.getConsumerGroupSet());
            case CONSUMER_MEMBER_SET ->
                ConsumerGroupRecordCodec.decode(Section.textOf(key), message.getConsumerMemberSet());
            case CONSUMER_PATTERN_RESOLVED ->
                new ConsumerGroupRecord.PatternResolved(
                        Section.textOf(key),
                        new TreeSet<>(message.getConsumerPatternResolved().getTopicsList()));
            case CONSUMER_TARGET_SET ->
                ConsumerGroupRecordCodec.decode(Section.textOf(key), message.getConsumerTargetSet());
            case CONSUMER_CURRENT_SET ->
                ConsumerGroupRecordCodec.decode(Section.textOf(key), message.getConsumerCurrentSet());
            case STREAMS_GROUP_SET -> StreamsGroupRecordCodec.decode(message.getStreamsGroupSet());
            case STREAMS_TOPOLOGY_SET ->
                new StreamsGroupRecord.TopologySet(TopologyCodec.decode(message.getStreamsTopologySet()));
            case STREAMS_TOPOLOGY_DESCRIPTION_SET ->
                StreamsGroupRecordCodec.decode(message.getStreamsTopologyDescriptionSet());
            case STREAMS_MEMBER_SET ->
                StreamsGroupRecordCodec.decode(Section.textOf(key), message.getStreamsMemberSet());
            case STREAMS_TASK_OFFSETS_SET ->
                StreamsGroupRecordCodec.decode(Section.textOf(key), message.getStreamsTaskOffsetsSet());
            case STREAMS_TARGET_SET ->
                StreamsGroupRecordCodec.decode(Section.textOf(key), message.getStreamsTargetSet());
            case STREAMS_CURRENT_SET ->
                StreamsGroupRecordCodec.decode(Section.textOf(key), message.getStreamsCurrentSet());
            case RECORD_NOT_SET ->
                throw new UnknownRecordException(
                        "a record of a kind that this version does not know; a newer version wrote it");
        };
    }
}
