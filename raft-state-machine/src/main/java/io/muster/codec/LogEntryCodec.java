package io.muster.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.muster.codec.WrittenEntry.WrittenBatch;
import io.muster.codec.proto.Records;
import io.muster.core.FeatureLevel;
import io.muster.runtime.LogEntry;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.ShardChange;
import io.muster.runtime.Token;
import io.muster.storage.StoreBatch;

/** Translates what a leader decided to an entry's bytes, and these to what a node writes. Only the leader encodes records. */
public final class LogEntryCodec {
    private LogEntryCodec() {}

    /** The bytes of what a leader decided. */
    public static byte[] encode(LogEntry entry) {
        ShardChange change = entry.change();
        Records.Entry.Builder message = Records.Entry.newBuilder()
                .setEvalTerm(entry.evalTerm())
                .setSequence(entry.sequence())
                .setFeatureLevel(Math.max(levelOf(entry), change.featureLevel()))
                .setRaisedLevel(change.featureLevel())
                .setClaimMark(change.claimMark());
        if (change.identity() != null) {
            message.setIdentity(ValueCodec.encode(change.identity()));
        }
        entry.batches().forEach(batch -> message.addBatches(encode(batch, entry.token())));
        return message.build().toByteArray();
    }

    /** The highest level that one of its records needs. */
    private static int levelOf(LogEntry entry) {
        return entry.batches().stream()
                .flatMap(batch -> batch.records().stream())
                .mapToInt(FeatureLevel::of)
                .max()
                .orElse(FeatureLevel.FIRST);
    }

    private static Records.Batch encode(RecordBatch batch, Token entry) {
        Records.Batch.Builder message = Records.Batch.newBuilder().setGroupId(batch.groupId());
        if (!batch.base().equals(Token.NONE)) {
            message.setBase(TokenCodec.encode(batch.base()));
        }
        Token next = batch.tokenAfter(entry);
        if (!next.equals(Token.NONE)) {
            message.setNext(TokenCodec.encode(next));
        }
        StoreBatch writes = new StoreBatch();
        batch.records().forEach(record -> GroupRecordCodec.encode(record, writes));
        writes.changes().forEach(change -> message.addWrites(encode(change)));
        return message.build();
    }

    private static Records.Write encode(StoreBatch.Change change) {
        Records.Write.Builder message = Records.Write.newBuilder();
        if (change instanceof StoreBatch.Put put) {
            message.setPut(Records.Put.newBuilder().setKey(wrap(put.key())).setValue(wrap(put.value())));
        } else if (change instanceof StoreBatch.Delete delete) {
            message.setDelete(wrap(delete.key()));
        } else if (change instanceof StoreBatch.DeletePrefix delete) {
            message.setDeletePrefix(wrap(delete.prefix()));
        }
        return message.build();
    }

    private static ByteString wrap(byte[] bytes) {
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    /**
     * What an entry of these bytes writes; the values are not looked into.
     *
     * @throws UnknownRecordException if the bytes are no entry
     */
    public static WrittenEntry decode(byte[] bytes) {
        try {
            return decode(parse(bytes));
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new UnknownRecordException("not a log entry: " + e.getMessage(), e);
        }
    }

    /**
     * Fails unless these bytes are an entry that every node of this version can apply, and can read afterwards.
     *
     * @throws UnknownRecordException if they are not, with what is wrong
     */
    public static void requireReadable(byte[] bytes) {
        try {
            Records.Entry message = parse(bytes);
            WrittenEntry entry = decode(message);
            if (entry.featureLevel() > FeatureLevel.SUPPORTED) {
                throw new UnknownRecordException(
                        "feature level " + entry.featureLevel() + " is unknown to this version");
            }
            for (WrittenBatch batch : entry.batches()) {
                if (!batch.next().equals(Token.NONE) && !batch.next().equals(entry.token())) {
                    throw new UnknownRecordException("token " + batch.next() + " in entry " + entry.token());
                }
            }
            message.getBatchesList().forEach(batch -> batch.getWritesList().forEach(LogEntryCodec::requireReadable));
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new UnknownRecordException("not a log entry: " + e.getMessage(), e);
        }
    }

    private static void requireReadable(Records.Write write) {
        byte[] key = keyOf(write).toByteArray();
        if (!Section.isKnown(key)) {
            throw new UnknownRecordException("a key of no section");
        }
        if (write.hasPut()) {
            GroupRecordCodec.decode(key, write.getPut().getValue().toByteArray());
        }
    }

    private static ByteString keyOf(Records.Write write) {
        return switch (write.getWriteCase()) {
            case PUT -> write.getPut().getKey();
            case DELETE -> write.getDelete();
            case DELETE_PREFIX -> write.getDeletePrefix();
            case WRITE_NOT_SET -> throw unknownWrite();
        };
    }

    private static Records.Entry parse(byte[] bytes) throws InvalidProtocolBufferException {
        return Records.Entry.parser().parseFrom(wrap(bytes)); // which does not copy keys and values
    }

    private static WrittenEntry decode(Records.Entry message) {
        return new WrittenEntry(
                message.getEvalTerm(),
                message.getSequence(),
                message.getFeatureLevel(),
                message.getBatchesList().stream().map(LogEntryCodec::decode).toList(),
                new ShardChange(
                        message.getRaisedLevel(),
                        message.getClaimMark(),
                        message.hasIdentity() ? ValueCodec.decode(message.getIdentity()) : null));
    }

    private static WrittenBatch decode(Records.Batch message) {
        byte[] group = Keys.group(message.getGroupId());
        return new WrittenBatch(
                message.getGroupId(),
                TokenCodec.decode(message.getBase()),
                TokenCodec.decode(message.getNext()),
                message.getWritesList().stream()
                        .map(write -> decode(write, group))
                        .toList());
    }

    private static StoreBatch.Change decode(Records.Write write, byte[] group) {
        return switch (write.getWriteCase()) {
            case PUT ->
                new StoreBatch.Put(
                        Keys.join(group, write.getPut().getKey()),
                        write.getPut().getValue().toByteArray());
            case DELETE -> new StoreBatch.Delete(Keys.join(group, write.getDelete()));
            case DELETE_PREFIX -> new StoreBatch.DeletePrefix(Keys.join(group, write.getDeletePrefix()));
            case WRITE_NOT_SET -> throw unknownWrite();
        };
    }

    private static UnknownRecordException unknownWrite() {
        return new UnknownRecordException("a write of a kind that this version does not know");
    }
}
