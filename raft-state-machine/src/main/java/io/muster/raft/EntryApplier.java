package io.muster.raft;

import io.muster.codec.StoredRecords;
import io.muster.codec.UnknownRecordException;
import io.muster.codec.WrittenEntry;
import io.muster.codec.WrittenEntry.WrittenBatch;
import io.muster.core.FeatureLevel;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.runtime.ShardChange;
import io.muster.runtime.Token;
import io.muster.storage.AppliedIndex;
import io.muster.storage.ShardStore;
import io.muster.storage.StoreBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Applies entries to a shard's store behind the guard, the same on every node: a batch counts only in the term in which it was
 * decided and on the state that it was decided on. Whatever the verdict, the applied index advances. One thread.
 */
public final class EntryApplier {
    private final ShardStore store;
    private final int supported;

    /** @throws UnknownRecordException if the store is of a feature level that this version does not know */
    public EntryApplier(ShardStore store) {
        this(store, FeatureLevel.SUPPORTED);
    }

    EntryApplier(ShardStore store, int supported) {
        this.store = store;
        this.supported = supported;
        requireSupported(StoredRecords.featureLevel(store));
    }

    private void requireSupported(int level) {
        if (level > supported) {
            throw new UnknownRecordException(
                    "the cluster is of feature level " + level + ", and this version knows none above " + supported);
        }
    }

    /**
     * Applies one entry as one atomic write.
     *
     * @param at term and index of the entry in the Raft log
     * @return the verdict on each batch, in order
     * @throws UnknownRecordException if it is of a feature level that this version does not know
     */
    public List<Verdict> apply(AppliedIndex at, WrittenEntry entry) {
        boolean stale = entry.evalTerm() != at.term() || entry.token().compareTo(StoredRecords.lastEntry(store)) <= 0;
        StoreBatch changes = new StoreBatch();
        List<Verdict> verdicts = new ArrayList<>();
        if (stale) {
            entry.batches().forEach(batch -> verdicts.add(Verdict.CONFLICT));
        } else {
            requireSupported(entry.featureLevel());
            changeShard(entry.change(), changes);
            judgeAll(entry, changes, verdicts);
            StoredRecords.setLastEntry(changes, entry.token());
        }
        store.apply(changes, at);
        return verdicts;
    }

    /** A level never falls, and a cluster is founded once: an entry that asks for less is no news. */
    private void changeShard(ShardChange change, StoreBatch changes) {
        if (change.featureLevel() > StoredRecords.featureLevel(store)) {
            StoredRecords.setFeatureLevel(changes, change.featureLevel());
        }
        if (change.identity() != null && StoredRecords.identity(store).isEmpty()) {
            StoredRecords.setIdentity(changes, change.identity());
        }
        if (!change.claimMark().isEmpty()) {
            StoredRecords.addClaimMark(store, changes, change.claimMark());
        }
    }

    /** Each batch is judged against what the entry's earlier ones did. */
    private void judgeAll(WrittenEntry entry, StoreBatch changes, List<Verdict> verdicts) {
        Map<String, Token> tokens = new HashMap<>();
        for (WrittenBatch batch : entry.batches()) {
            Token current = tokens.computeIfAbsent(batch.groupId(), groupId -> StoredRecords.tokenOf(store, groupId));
            if (!batch.base().equals(current)) {
                verdicts.add(Verdict.CONFLICT);
                continue;
            }
            batch.writes().forEach(changes::add);
            StoredRecords.setToken(changes, batch.groupId(), batch.next());
            tokens.put(batch.groupId(), batch.next());
            verdicts.add(Verdict.APPLIED);
        }
    }

    /** Advances the applied index over an entry of the log that is not Muster's. */
    public void skip(AppliedIndex at) {
        store.apply(new StoreBatch(), at);
    }
}
