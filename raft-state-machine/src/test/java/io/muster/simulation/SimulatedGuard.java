package io.muster.simulation;

import io.muster.codec.LogEntryCodec;
import io.muster.codec.StoredRecords;
import io.muster.codec.WrittenEntry;
import io.muster.codec.WrittenEntry.WrittenBatch;
import io.muster.raft.EntryApplier;
import io.muster.runtime.LogEntry;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.storage.AppliedIndex;
import io.muster.storage.ShardStore;
import io.muster.storage.StoreBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How entries are judged: by the product's guard, or by the weaker one that the simulation must see through. */
interface SimulatedGuard {
    /** @param baseCounts what {@link #countOf} said of each batch's group when the entry was proposed */
    List<Verdict> apply(AppliedIndex at, LogEntry entry, List<Integer> baseCounts);

    /** How often the group was changed, as this node knows. */
    int countOf(String groupId);

    /** The guard of a node that gets its state from a snapshot of another. */
    SimulatedGuard over(ShardStore store);

    private static WrittenEntry written(LogEntry entry) {
        return LogEntryCodec.decode(LogEntryCodec.encode(entry));
    }

    /** The product's own. */
    static SimulatedGuard termAndToken(ShardStore store) {
        EntryApplier applier = new EntryApplier(store);
        return new SimulatedGuard() {
            @Override
            public List<Verdict> apply(AppliedIndex at, LogEntry entry, List<Integer> baseCounts) {
                return applier.apply(at, written(entry));
            }

            @Override
            public int countOf(String groupId) {
                return 0;
            }

            @Override
            public SimulatedGuard over(ShardStore next) {
                return termAndToken(next);
            }
        };
    }

    /** A counter a group, which a proposal must find as it left it. Not enough: a late proposal may find it by chance. */
    static SimulatedGuard counter(ShardStore store, Map<String, Integer> counts) {
        return new SimulatedGuard() {
            @Override
            public List<Verdict> apply(AppliedIndex at, LogEntry entry, List<Integer> baseCounts) {
                StoreBatch changes = new StoreBatch();
                List<Verdict> verdicts = new ArrayList<>();
                List<WrittenBatch> batches = written(entry).batches();
                for (int i = 0; i < batches.size(); i++) {
                    WrittenBatch batch = batches.get(i);
                    int count = countOf(batch.groupId());
                    boolean fits = count == baseCounts.get(i);
                    verdicts.add(fits ? Verdict.APPLIED : Verdict.CONFLICT);
                    if (fits) {
                        counts.put(batch.groupId(), count + 1);
                        batch.writes().forEach(changes::add);
                        StoredRecords.setToken(changes, batch.groupId(), batch.next());
                    }
                }
                store.apply(changes, at);
                return verdicts;
            }

            @Override
            public int countOf(String groupId) {
                return counts.getOrDefault(groupId, 0);
            }

            @Override
            public SimulatedGuard over(ShardStore next) {
                return counter(next, new HashMap<>(counts));
            }
        };
    }
}
