package io.muster.storage;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** A {@link ShardStore} that lives and dies with the process; for the simulation and for tests. A checkpoint is a file. */
public final class InMemoryShardStore implements ShardStore {
    private static final String CHECKPOINT_FILE = "entries";

    private NavigableMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    private AppliedIndex applied = AppliedIndex.NONE;
    private boolean closed;

    /** The store as a checkpoint has it. */
    public static InMemoryShardStore open(Path checkpoint) {
        InMemoryShardStore store = new InMemoryShardStore();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(checkpoint.resolve(CHECKPOINT_FILE)))) {
            store.applied = new AppliedIndex(in.readLong(), in.readLong());
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                byte[] key = in.readNBytes(in.readInt());
                store.entries.put(key, in.readNBytes(in.readInt()));
            }
            return store;
        } catch (IOException e) {
            throw new StoreException("checkpoint " + checkpoint + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** A store with the same content. */
    public synchronized InMemoryShardStore copy() {
        InMemoryShardStore copy = new InMemoryShardStore();
        copy.entries.putAll(entries);
        copy.applied = applied;
        return copy;
    }

    @Override
    public synchronized Optional<byte[]> get(byte[] key) {
        ensureOpen();
        return Optional.ofNullable(entries.get(key)).map(byte[]::clone);
    }

    @Override
    public void scan(byte[] prefix, EntryVisitor visitor) {
        scanFrom(prefix, prefix, visitor);
    }

    @Override
    public void scanFrom(byte[] prefix, byte[] from, EntryVisitor visitor) {
        for (Map.Entry<byte[], byte[]> entry : entriesFrom(prefix, from).entrySet()) {
            if (!visitor.visit(entry.getKey().clone(), entry.getValue().clone())) {
                return;
            }
        }
    }

    private synchronized Map<byte[], byte[]> entriesFrom(byte[] prefix, byte[] from) {
        ensureOpen();
        TreeMap<byte[], byte[]> found = new TreeMap<>(Arrays::compareUnsigned);
        byte[] start = Arrays.compareUnsigned(from, prefix) < 0 ? prefix : from;
        for (Map.Entry<byte[], byte[]> entry : entries.tailMap(start).entrySet()) {
            if (!startsWith(entry.getKey(), prefix)) {
                break;
            }
            found.put(entry.getKey(), entry.getValue());
        }
        return found;
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    @Override
    public synchronized void apply(StoreBatch batch, AppliedIndex next) {
        ensureOpen();
        if (next.compareTo(applied) < 0) {
            throw new IllegalArgumentException("applied index " + next + " is below " + applied);
        }
        for (StoreBatch.Change change : batch.changes()) {
            if (change instanceof StoreBatch.Put put) {
                entries.put(put.key().clone(), put.value().clone());
            } else if (change instanceof StoreBatch.Delete delete) {
                entries.remove(delete.key());
            } else if (change instanceof StoreBatch.DeletePrefix delete) {
                entriesFrom(delete.prefix(), delete.prefix()).keySet().forEach(entries::remove);
            }
        }
        applied = next;
    }

    @Override
    public synchronized AppliedIndex appliedIndex() {
        return applied;
    }

    @Override
    public synchronized AppliedIndex checkpoint(Path directory) {
        ensureOpen();
        try {
            Files.createDirectory(directory);
            try (DataOutputStream out =
                    new DataOutputStream(Files.newOutputStream(directory.resolve(CHECKPOINT_FILE)))) {
                out.writeLong(applied.term());
                out.writeLong(applied.index());
                out.writeInt(entries.size());
                for (Map.Entry<byte[], byte[]> entry : entries.entrySet()) {
                    write(out, entry.getKey());
                    write(out, entry.getValue());
                }
            }
            return applied;
        } catch (IOException e) {
            throw new StoreException("checkpoint " + directory + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public byte[] digest() {
        return StoreDigest.of(this);
    }

    @Override
    public synchronized void close() {
        closed = true;
        entries = new TreeMap<>(Arrays::compareUnsigned);
    }

    private void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("the store is closed");
        }
    }
}
