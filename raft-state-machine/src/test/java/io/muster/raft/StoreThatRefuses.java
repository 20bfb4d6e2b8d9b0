package io.muster.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.muster.storage.AppliedIndex;
import io.muster.storage.RocksShardStore;
import io.muster.storage.ShardStore;
import io.muster.storage.StoreBatch;
import io.muster.storage.StoreException;
import java.nio.file.Path;
import java.util.Optional;

/** A store that cannot apply what is written of one group, as all nodes cannot that have the same defect. */
record StoreThatRefuses(ShardStore store, String refused) implements ShardStore {
    static StoreFactory group(String groupId) {
        return directory -> new StoreThatRefuses(RocksShardStore.open(directory), groupId);
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
        boolean bad = batch.changes().stream()
                .anyMatch(change ->
                        change instanceof StoreBatch.Put put && new String(put.key(), UTF_8).contains(refused));
        if (bad) {
            throw new StoreException("made to refuse " + refused);
        }
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
    public byte[] digest() {
        return store.digest();
    }

    @Override
    public void close() {
        store.close();
    }
}
