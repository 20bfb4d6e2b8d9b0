package io.muster.simulation;

import io.muster.storage.AppliedIndex;
import io.muster.storage.InMemoryShardStore;
import io.muster.storage.ShardStore;
import io.muster.storage.StoreBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * A store that loses what was not flushed: it works in memory, and its directory holds what was flushed last. It flushes now and
 * then as it applies (a write buffer is full), when it is copied, and when it is closed; a crash simply forgets it.
 */
final class FlushedStore implements ShardStore {
    private static final String FILE = "entries";
    private static final int FLUSHES_PERCENT = 6;

    private final Path directory;
    private final VirtualTime time;
    private final InMemoryShardStore memory;
    private boolean dirty;

    private FlushedStore(Path directory, VirtualTime time, InMemoryShardStore memory) {
        this.directory = directory;
        this.time = time;
        this.memory = memory;
    }

    static FlushedStore open(Path directory, VirtualTime time) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        boolean known = Files.exists(directory.resolve(FILE));
        return new FlushedStore(directory, time, known ? InMemoryShardStore.open(directory) : new InMemoryShardStore());
    }

    private void flush() {
        Path unfinished = directory.resolve("unfinished");
        try {
            memory.checkpoint(unfinished);
            Files.move(unfinished.resolve(FILE), directory.resolve(FILE), StandardCopyOption.REPLACE_EXISTING);
            Files.delete(unfinished);
            dirty = false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<byte[]> get(byte[] key) {
        return memory.get(key);
    }

    @Override
    public void scan(byte[] prefix, EntryVisitor visitor) {
        memory.scan(prefix, visitor);
    }

    @Override
    public void scanFrom(byte[] prefix, byte[] from, EntryVisitor visitor) {
        memory.scanFrom(prefix, from, visitor);
    }

    @Override
    public void apply(StoreBatch batch, AppliedIndex applied) {
        memory.apply(batch, applied);
        dirty = true;
        if (time.pick(100) < FLUSHES_PERCENT) {
            flush();
        }
    }

    @Override
    public AppliedIndex appliedIndex() {
        return memory.appliedIndex();
    }

    @Override
    public AppliedIndex checkpoint(Path target) {
        flush();
        return memory.checkpoint(target);
    }

    /** A flush takes a while: only a later call may find it done. */
    @Override
    public boolean flushAhead() {
        boolean done = !dirty;
        flush();
        return done || time.pick(2) == 0;
    }

    @Override
    public byte[] digest() {
        return memory.digest();
    }

    @Override
    public void close() {
        flush();
        memory.close();
    }
}
