package io.muster.storage;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The applied state of one shard: an ordered key-value store (unsigned byte order) whose batches carry the applied index.
 *
 * <p>One thread applies; any thread reads. A read sees whole batches only. Every method throws {@link StoreException} when
 * the disk fails, and {@link IllegalStateException} after {@link #close()}.
 */
public interface ShardStore extends AutoCloseable {
    /** Receives the entries of a scan in key order. */
    @FunctionalInterface
    interface EntryVisitor {
        /** Returns whether the scan goes on. */
        boolean visit(byte[] key, byte[] value);
    }

    /** The value of a key, or empty if it is absent. */
    Optional<byte[]> get(byte[] key);

    /** Visits all entries whose key starts with {@code prefix} (an empty prefix: all), on one consistent snapshot. */
    void scan(byte[] prefix, EntryVisitor visitor);

    /** Like {@link #scan(byte[], EntryVisitor)} but begins with the first key at or after {@code from}. */
    void scanFrom(byte[] prefix, byte[] from, EntryVisitor visitor);

    /**
     * Applies all changes and the applied index as one atomic write.
     *
     * @throws IllegalArgumentException if {@code applied} is below {@link #appliedIndex()}
     */
    void apply(StoreBatch batch, AppliedIndex applied);

    /** The index of the last applied batch; {@link AppliedIndex#NONE} for a new store. Never a disk read. */
    AppliedIndex appliedIndex();

    /**
     * Writes a consistent copy of the store into {@code directory}, which must not exist yet; its parent must. The copy holds
     * the applied index it was taken at, which is returned.
     */
    AppliedIndex checkpoint(Path directory);

    /**
     * Begins to write to the disk what is only in memory, so that a checkpoint costs little, and does not wait for it.
     *
     * @return whether everything that an earlier call began, if there was one, is written
     */
    default boolean flushAhead() {
        return true;
    }

    /** A digest over all keys and values, the applied index left out; equal states give equal digests on every node. */
    byte[] digest();

    @Override
    void close();
}
