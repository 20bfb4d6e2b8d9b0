package io.muster.raft;

import io.muster.storage.AppliedIndex;
import io.muster.storage.RocksShardStore;
import io.muster.storage.ShardStore;
import io.muster.storage.StoreBatch;
import io.muster.storage.StoreException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A store on a disk whose process is killed: what was flushed stays, and no last snapshot is taken. Closing flushes, so that it
 * stands beyond the last snapshot then.
 *
 * @param killed whether the end that comes is a kill
 */
record StoreThatIsKilled(ShardStore store, BooleanSupplier killed) implements ShardStore {
    static StoreFactory factory(BooleanSupplier killed) {
        return directory -> new StoreThatIsKilled(RocksShardStore.open(directory), killed);
    }

    @Override
    public Optional<byte[]> get(byte[] key) {
        return store.get(key);
    }

    @Override
    public void scan(byte[] prefix, EntryVisitor visitor) {
        store.scan(prefix, visitor);
    }

    @Override
    public void scanFrom(byte[] prefix, byte[] from, EntryVisitor visitor) {
        store.scanFrom(prefix, from, visitor);
    }

    @Override
    public void apply(StoreBatch batch, AppliedIndex applied) {
        store.apply(batch, applied);
    }

    @Override
    public AppliedIndex appliedIndex() {
        return store.appliedIndex();
    }

    @Override
    public AppliedIndex checkpoint(Path directory) {
        if (killed.getAsBoolean()) {
            throw new StoreException("killed before the snapshot");
        }
        return store.checkpoint(directory);
    }

    @Override
    public boolean flushAhead() {
        return store.flushAhead();
    }

    @Override
    public byte[] digest() {
        return store.digest();
    }

    @Override
    public void close() {
        store.close();
    }
}
