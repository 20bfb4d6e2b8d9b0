package io.muster.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.rocksdb.Checkpoint;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A {@link ShardStore} in a RocksDB directory. RocksDB's own log is off: the Raft log is the write-ahead log, so after a crash the
 * store stands at some earlier applied index, and the entries since then are applied again.
 */
public final class RocksShardStore implements ShardStore {
    /** What this version writes; a store of a higher version is not opened. */
    private static final int FORMAT_VERSION = 1;

    /** Everything of the store's own; user keys get {@link #USER} in front. */
    private static final byte OWN = 0;

    private static final byte USER = 1;
    private static final byte[] APPLIED_KEY = {OWN, 'a'};
    private static final byte[] FORMAT_KEY = {OWN, 'f'};

    private static final long WRITE_BUFFER_BYTES = 16L << 20;
    private static final long BLOCK_CACHE_BYTES = 16L << 20;

    private final Path directory;
    private final LRUCache cache;
    private final Options options;
    private final WriteOptions writeOptions;
    private final RocksDB db;
    /** Readers and the writer share it; closing takes it alone, so native code never meets a closed database. */
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    /** Taken after {@link #lock}: a checkpoint holds exactly what was applied up to the index that it is named after. */
    private final Object writing = new Object();

    private volatile AppliedIndex applied;
    private boolean flushingAhead;
    private boolean closed;

    private RocksShardStore(Path directory, long writeBufferBytes) throws RocksDBException {
        this.directory = directory;
        this.cache = new LRUCache(BLOCK_CACHE_BYTES);
        this.options = new Options()
                .setCreateIfMissing(true)
                .setWriteBufferSize(writeBufferBytes)
                .setAtomicFlush(true)
                .setKeepLogFileNum(2)
                .setMaxOpenFiles(256)
                .setTableFormatConfig(new org.rocksdb.BlockBasedTableConfig().setBlockCache(cache));
        this.writeOptions = new WriteOptions().setDisableWAL(true);
        try {
            this.db = RocksDB.open(options, directory.toString());
        } catch (RocksDBException e) {
            closeOptions();
            throw e;
        }
        this.applied = AppliedIndex.NONE;
    }

    /**
     * Opens the store in this directory, or makes a new one there.
     *
     * @throws StoreException if it is open elsewhere, was written by a newer version, or is damaged, or RocksDB cannot be loaded
     */
    public static RocksShardStore open(Path directory) {
        return open(directory, WRITE_BUFFER_BYTES);
    }

    /** @param writeBufferBytes what is in memory at most before it is flushed */
    static RocksShardStore open(Path directory, long writeBufferBytes) {
        RocksLibrary.load();
        try {
            Files.createDirectories(directory);
            RocksShardStore store = new RocksShardStore(directory, writeBufferBytes);
            store.readOwnKeys();
            return store;
        } catch (IOException e) {
            throw new StoreException("store " + directory + " cannot be created: " + e.getMessage(), e);
        } catch (RocksDBException e) {
            throw new StoreException("store " + directory + " " + explain(e), e);
        }
    }

    private static String explain(RocksDBException e) {
        Status status = e.getStatus();
        String message = String.valueOf(e.getMessage());
        if (message.contains("lock hold by") || message.contains("While lock file")) {
            return "is open in another process";
        }
        if (status != null && status.getCode() == Status.Code.Corruption) {
            return "is corrupt: " + message + "; wipe it and let the node come back by snapshot";
        }
        return "cannot be opened: " + message;
    }

    private void readOwnKeys() throws RocksDBException {
        try {
            byte[] format = db.get(FORMAT_KEY);
            if (format == null) {
                db.put(writeOptions, FORMAT_KEY, number(FORMAT_VERSION));
            } else {
                long version = own(format, Long.BYTES).getLong();
                if (version > FORMAT_VERSION) {
                    throw new StoreException("store " + directory + " has format " + version
                            + ", this version knows formats up to " + FORMAT_VERSION);
                }
            }
            byte[] index = db.get(APPLIED_KEY);
            if (index != null) {
                ByteBuffer buffer = own(index, 2 * Long.BYTES);
                applied = new AppliedIndex(buffer.getLong(), buffer.getLong());
            }
        } catch (RocksDBException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private ByteBuffer own(byte[] value, int expectedBytes) {
        if (value.length != expectedBytes) {
            throw new StoreException("store " + directory + " is corrupt: a key of its own has " + value.length
                    + " bytes instead of " + expectedBytes);
        }
        return ByteBuffer.wrap(value);
    }

    @Override
    public Optional<byte[]> get(byte[] key) {
        return reading(() -> {
            try {
                return Optional.ofNullable(db.get(userKey(key)));
            } catch (RocksDBException e) {
                throw failure("cannot be read", e);
            }
        });
    }

    @Override
    public void scan(byte[] prefix, EntryVisitor visitor) {
        scanFrom(prefix, prefix, visitor);
    }

    @Override
    public void scanFrom(byte[] prefix, byte[] from, EntryVisitor visitor) {
        byte[] within = userKey(prefix);
        byte[] start = userKey(Arrays.compareUnsigned(from, prefix) < 0 ? prefix : from);
        reading(() -> {
            try (Snapshot snapshot = db.getSnapshot();
                    ReadOptions read = new ReadOptions().setSnapshot(snapshot);
                    RocksIterator entries = db.newIterator(read)) {
                visit(entries, within, start, visitor);
                return true;
            } catch (RocksDBException e) {
                throw failure("cannot be read", e);
            }
        });
    }

    private static void visit(RocksIterator entries, byte[] prefix, byte[] start, EntryVisitor visitor)
            throws RocksDBException {
        entries.seek(start);
        while (entries.isValid() && startsWith(entries.key(), prefix)) {
            byte[] key = entries.key();
            if (!visitor.visit(Arrays.copyOfRange(key, 1, key.length), entries.value())) {
                return;
            }
            entries.next();
        }
        entries.status();
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    @Override
    public void apply(StoreBatch batch, AppliedIndex next) {
        if (next.compareTo(applied) < 0) {
            throw new IllegalArgumentException("applied index " + next + " is below " + applied);
        }
        reading(() -> {
            synchronized (writing) {
                write(batch, next);
            }
            return true;
        });
    }

    private void write(StoreBatch batch, AppliedIndex next) {
        try (WriteBatch write = new WriteBatch()) {
            for (StoreBatch.Change change : batch.changes()) {
                add(write, change);
            }
            write.put(APPLIED_KEY, pair(next));
            db.write(writeOptions, write);
            applied = next;
        } catch (RocksDBException e) {
            throw failure("cannot be written", e);
        }
    }

    private static void add(WriteBatch write, StoreBatch.Change change) throws RocksDBException {
        if (change instanceof StoreBatch.Put put) {
            write.put(userKey(put.key()), put.value());
        } else if (change instanceof StoreBatch.Delete delete) {
            write.delete(userKey(delete.key()));
        } else if (change instanceof StoreBatch.DeletePrefix delete) {
            byte[] from = userKey(delete.prefix());
            write.deleteRange(from, firstAfter(from));
        }
    }

    /** The smallest key above all that start with this prefix; the leading {@link #USER} byte always has a successor. */
    private static byte[] firstAfter(byte[] prefix) {
        int last = prefix.length - 1;
        while (prefix[last] == (byte) 0xFF) {
            last--;
        }
        byte[] after = Arrays.copyOf(prefix, last + 1);
        after[last]++;
        return after;
    }

    @Override
    public AppliedIndex appliedIndex() {
        return applied;
    }

    @Override
    public boolean flushAhead() {
        return reading(() -> {
            synchronized (writing) {
                try {
                    if (!flushingAhead) {
                        beginFlush();
                    }
                    boolean done = db.getLongProperty("rocksdb.num-immutable-mem-table") == 0;
                    flushingAhead = !done;
                    return done;
                } catch (RocksDBException e) {
                    throw failure("cannot be flushed", e);
                }
            }
        });
    }

    private void beginFlush() throws RocksDBException {
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(false)) {
            db.flush(flush);
        }
    }

    @Override
    public AppliedIndex checkpoint(Path target) {
        return reading(() -> {
            flush(); // most of it, beside what is applied meanwhile
            synchronized (writing) {
                return copyTo(target);
            }
        });
    }

    private void flush() {
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            db.flush(flush);
        } catch (RocksDBException e) {
            throw failure("cannot be flushed", e);
        }
    }

    private AppliedIndex copyTo(Path target) {
        flush();
        try (Checkpoint checkpoint = Checkpoint.create(db)) {
            checkpoint.createCheckpoint(target.toString());
            return applied;
        } catch (RocksDBException e) {
            throw failure("cannot be copied to " + target, e);
        }
    }

    @Override
    public byte[] digest() {
        return StoreDigest.of(this);
    }

    /** Flushes and closes; waits for reads that are under way. */
    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            try {
                flush();
            } finally {
                db.close();
                closeOptions();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void closeOptions() {
        writeOptions.close();
        options.close();
        cache.close();
    }

    private <T> T reading(Supplier<T> work) {
        lock.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("store " + directory + " is closed");
            }
            return work.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    private StoreException failure(String what, RocksDBException cause) {
        return new StoreException("store " + directory + " " + what + ": " + cause.getMessage(), cause);
    }

    private static byte[] userKey(byte[] key) {
        byte[] own = new byte[key.length + 1];
        own[0] = USER;
        System.arraycopy(key, 0, own, 1, key.length);
        return own;
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static byte[] pair(AppliedIndex index) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(index.term())
                .putLong(index.index())
                .array();
    }

    @Override
    public String toString() {
        return "store " + directory;
    }
}
