package io.muster.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import io.muster.codec.proto.Records;
import io.muster.runtime.LogEntry;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.ShardChange;
import io.muster.runtime.Token;

/** Translates log entries to bytes and back. */
public final class LogEntryCodec {
    private LogEntryCodec() {}

    public static byte[] encode(LogEntry entry) {
        Records.Entry.Builder message = Records.Entry.newBuilder()
                .setEvalTerm(entry.evalTerm())
                .setSequence(entry.sequence())
                .setFeatureLevel(entry.change().featureLevel())
                .setClaimMark(entry.change().claimMark());
        if (entry.change().identity() != null) {
            message.setIdentity(ClusterIdentityCodec.encode(entry.change().identity()));
        }
        entry.batches().forEach(batch -> message.addBatches(encode(batch)));
        return message.build().toByteArray();
    }

    private static Records.Batch encode(RecordBatch batch) {
        Records.Batch.Builder message = Records.Batch.newBuilder()
                .setGroupId(batch.groupId())
                .setBaseTerm(batch.base().term())
                .setBaseSequence(batch.base().sequence());
        batch.records().forEach(record -> message.addRecords(GroupRecordCodec.message(record)));
        return message.build();
    }

    /**
     * The entry of these bytes.
     *
     * @throws UnknownRecordException if it holds a record that this version does not know, or the bytes are no entry
     */
    public static LogEntry decode(byte[] bytes) {
        try {
            Records.Entry message = Records.Entry.parseFrom(bytes);
            return new LogEntry(
                    message.getEvalTerm(),
                    message.getSequence(),
                    message.getBatchesList().stream().map(LogEntryCodec::decode).toList(),
                    new ShardChange(
                            message.getFeatureLevel(),
                            message.getClaimMark(),
                            message.hasIdentity() ? ClusterIdentityCodec.decode(message.getIdentity()) : null));
        } catch (UnknownRecordException e) {
            throw e;
        } catch (InvalidProtocolBufferException | RuntimeException e) {
            throw new UnknownRecordException("not a log entry: " + e.getMessage(), e);
        }
    }

    private static RecordBatch decode(Records.Batch message) {
        return new RecordBatch(
                message.getGroupId(),
                new Token(message.getBaseTerm(), message.getBaseSequence()),
                message.getRecordsList().stream().map(GroupRecordCodec::decode).toList());
    }
}
