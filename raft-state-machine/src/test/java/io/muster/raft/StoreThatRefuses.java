package io.muster.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.muster.storage.AppliedIndex;
import io.muster.storage.RocksShardStore;
import io.muster.storage.ShardStore;
import io.muster.storage.StoreBatch;
import io.muster.storage.StoreException;

/** A store that cannot apply what is written of one group, as all nodes cannot that have the same defect. */
final class StoreThatRefuses extends DelegatingStore {
    private final String refused;

    private StoreThatRefuses(ShardStore store, String refused) {
        super(store);
        this.refused = refused;
    }

    static StoreFactory group(String groupId) {
        return directory -> new StoreThatRefuses(RocksShardStore.open(directory), groupId);
    }

    @Override
    public void apply(StoreBatch batch, AppliedIndex applied) {
        boolean bad = batch.changes().stream()
                .anyMatch(change ->
                        change instanceof StoreBatch.Put put && new String(put.key(), UTF_8).contains(refused));
        if (bad) {
            throw new StoreException("made to refuse " + refused);
        }
        super.apply(batch, applied);
    }
}
