package io.muster.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.muster.codec.proto.Records;
import io.muster.core.CommonRecord;
import io.muster.core.ConsumerRecord;
import io.muster.core.GroupRecord;
import io.muster.core.StreamsRecord;
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
                return common.accept(new CommonRecords(writes));
            }

            @Override
            public StoreBatch on(ConsumerRecord consumer) {
                return consumer.accept(new ConsumerRecords(writes));
            }

            @Override
            public StoreBatch on(StreamsRecord streams) {
                return streams.accept(new StreamsRecords(writes));
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
            case CLAIM_SET -> CommonRecords.decode(message.getClaimSet());
            case HISTORY_APPENDED -> new CommonRecord.HistoryAppended(ValueCodec.decode(message.getHistoryAppended()));
            case CONFIGS_SET ->
                new CommonRecord.ConfigsSet(
                        ValueCodec.decodeEntries(message.getConfigsSet().getConfigsList()));
            case TOPIC_BASIS_SET -> CommonRecords.decode(message.getTopicBasisSet());
            case COMMIT_CONNECTION_SET ->
                new CommonRecord.CommitConnectionSet(
                        Section.textOf(key), CommonRecords.decode(message.getCommitConnectionSet()));
            case CONSUMER_GROUP_SET -> ConsumerRecords.decode(message.getConsumerGroupSet());
            case CONSUMER_MEMBER_SET -> ConsumerRecords.decode(Section.textOf(key), message.getConsumerMemberSet());
            case CONSUMER_PATTERN_RESOLVED ->
                new ConsumerRecord.PatternResolved(
                        Section.textOf(key),
                        new TreeSet<>(message.getConsumerPatternResolved().getTopicsList()));
            case CONSUMER_TARGET_SET -> ConsumerRecords.decode(Section.textOf(key), message.getConsumerTargetSet());
            case CONSUMER_CURRENT_SET -> ConsumerRecords.decode(Section.textOf(key), message.getConsumerCurrentSet());
            case STREAMS_GROUP_SET -> StreamsRecords.decode(message.getStreamsGroupSet());
            case STREAMS_TOPOLOGY_SET ->
                new StreamsRecord.TopologySet(TopologyCodec.decode(message.getStreamsTopologySet()));
            case STREAMS_TOPOLOGY_DESCRIPTION_SET -> StreamsRecords.decode(message.getStreamsTopologyDescriptionSet());
            case STREAMS_MEMBER_SET -> StreamsRecords.decode(Section.textOf(key), message.getStreamsMemberSet());
            case STREAMS_TASK_OFFSETS_SET ->
                StreamsRecords.decode(Section.textOf(key), message.getStreamsTaskOffsetsSet());
            case STREAMS_TARGET_SET -> StreamsRecords.decode(Section.textOf(key), message.getStreamsTargetSet());
            case STREAMS_CURRENT_SET -> StreamsRecords.decode(Section.textOf(key), message.getStreamsCurrentSet());
            case RECORD_NOT_SET ->
                throw new UnknownRecordException(
                        "a record of a kind that this version does not know; a newer version wrote it");
        };
    }
}
