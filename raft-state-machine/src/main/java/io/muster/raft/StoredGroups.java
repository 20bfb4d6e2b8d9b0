package io.muster.raft;

import io.muster.codec.StoredRecords;
import io.muster.core.HistoryEntry;
import io.muster.runtime.AppliedGroups;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.Token;
import io.muster.storage.ShardStore;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The groups of a shard as they lie in its store. */
public final class StoredGroups implements AppliedGroups {
    private final Supplier<ShardStore> store;

    /** @param store the shard's store of the moment: an installed snapshot brings another one */
    public StoredGroups(Supplier<ShardStore> store) {
        this.store = store;
    }

    @Override
    public StoredGroup load(String groupId) {
        return StoredRecords.load(store.get(), groupId);
    }

    @Override
    public int featureLevel() {
        return StoredRecords.featureLevel(store.get());
    }

    @Override
    public Optional<ClusterIdentity> identity() {
        return StoredRecords.identity(store.get());
    }

    @Override
    public List<String> claimMarks() {
        return StoredRecords.claimMarks(store.get());
    }

    @Override
    public boolean isNew() {
        return StoredRecords.lastEntry(store.get()).equals(Token.NONE);
    }

    @Override
    public void forEachId(Consumer<String> visitor) {
        ShardStore current = store.get();
        StoredRecords.forEachGroupId(current, groupId -> {
            if (StoredRecords.exists(current, groupId)) {
                visitor.accept(groupId);
            }
        });
    }

    @Override
    public void forEachRemnant(Consumer<Remnant> visitor) {
        ShardStore current = store.get();
        StoredRecords.forEachGroupId(current, groupId -> {
            if (!StoredRecords.exists(current, groupId)) {
                visitor.accept(remnant(current, groupId));
            }
        });
    }

    private static Remnant remnant(ShardStore store, String groupId) {
        OptionalLong historyEnds = StoredRecords.lastHistory(store, groupId).stream()
                .mapToLong(HistoryEntry::atMillis)
                .findFirst();
        return new Remnant(groupId, StoredRecords.isClaimed(store, groupId), historyEnds);
    }
}
