package io.muster.simulation;

import io.muster.codec.StoredRecords;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.GroupRecord;
import io.muster.runtime.LogEntry;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.runtime.Token;
import io.muster.storage.InMemoryShardStore;
import java.util.HexFormat;
import java.util.List;

/** One node under the guard's test: a store, and the guard before it. */
final class GuardNode {
    private InMemoryShardStore store;
    private SimulatedGuard guard;

    GuardNode(InMemoryShardStore store, SimulatedGuard guard) {
        this.store = store;
        this.guard = guard;
    }

    /** The source's state replaces what is here. */
    void install(GuardNode source) {
        store = source.store.copy();
        guard = source.guard.over(store);
    }

    long appliedIndex() {
        return store.appliedIndex().index();
    }

    List<Verdict> apply(GuardCluster.Logged logged, ChainChecks checks) {
        List<Verdict> verdicts =
                guard.apply(logged.at(), logged.entry(), logged.proposal().baseCounts());
        checks.applied(logged, verdicts);
        return verdicts;
    }

    List<Integer> countsOf(LogEntry entry) {
        return entry.batches().stream()
                .map(batch -> guard.countOf(batch.groupId()))
                .toList();
    }

    Token tokenOf(String groupId) {
        return StoredRecords.tokenOf(store, groupId);
    }

    int countOf(String groupId) {
        return guard.countOf(groupId);
    }

    /** The stamp of a writer's last applied change, 0 if the group does not exist. */
    int stampOf(String groupId) {
        for (GroupRecord record : StoredRecords.load(store, groupId).records()) {
            if (record instanceof ConsumerGroupRecord.GroupSet set) {
                return (int) set.assignedAtMillis();
            }
        }
        return 0;
    }

    String digest() {
        return HexFormat.of().formatHex(store.digest());
    }
}
