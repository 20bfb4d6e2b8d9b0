package io.muster.raft;

import io.muster.storage.AppliedIndex;
import io.muster.storage.ShardStore;
import io.muster.storage.StoreBatch;
import java.nio.file.Path;
import java.util.Optional;

/** A store that does what another one does; tests change one thing about it. */
class DelegatingStore implements ShardStore {
    private final ShardStore store;

    DelegatingStore(ShardStore store) {
        this.store = store;
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
