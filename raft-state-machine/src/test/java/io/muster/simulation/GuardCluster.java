package io.muster.simulation;

import io.muster.runtime.LogEntry;
import io.muster.runtime.ProposalOutcome;
import io.muster.runtime.ProposalOutcome.Judged;
import io.muster.runtime.ProposalOutcome.Unknown;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.storage.AppliedIndex;
import io.muster.storage.InMemoryShardStore;
import io.muster.storage.ShardStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Three nodes on one fake log, for the guard alone. A proposal may be lost, late (and then land in whatever term its node leads),
 * doubled, or applied without its proposer hearing of it; a node may get another one's state as a snapshot.
 */
final class GuardCluster {
    static final int NODES = 3;

    /** An entry as it stands in the log. */
    record Logged(AppliedIndex at, LogEntry entry, Proposal proposal) {}

    /** What was true when an entry was proposed. */
    record Proposal(int node, List<Integer> baseCounts, CompletableFuture<ProposalOutcome> outcome) {}

    private final VirtualTime time;
    private final ChainChecks checks;
    private final List<GuardNode> nodes = new ArrayList<>();
    private final List<Logged> log = new ArrayList<>();
    private long readyTerm;
    private long term = 1;
    private int leader;

    GuardCluster(VirtualTime time, ChainChecks checks, Function<ShardStore, SimulatedGuard> guard) {
        this.time = time;
        this.checks = checks;
        for (int id = 0; id < NODES; id++) {
            InMemoryShardStore store = new InMemoryShardStore();
            nodes.add(new GuardNode(store, guard.apply(store)));
        }
        elect(0);
        time.after(2_000, this::maybeElect);
        time.after(3_000, this::maybeInstallSnapshot);
    }

    GuardNode node(int id) {
        return nodes.get(id);
    }

    /** The term that a node leads and is ready in, 0 if it does not. */
    long termLedBy(int node) {
        return leader == node && readyTerm == term ? term : 0;
    }

    // ---- leadership

    private void maybeElect() {
        if (time.chance(60)) {
            elect(time.pick(NODES));
        }
        time.after(1_000 + time.pick(8_000), this::maybeElect);
    }

    private void elect(int next) {
        term++;
        leader = next;
        long electedTerm = term;
        time.after(1 + time.pick(50), () -> becomeReady(next, electedTerm));
    }

    /** A leader is ready once everything of earlier terms is applied on it. */
    private void becomeReady(int node, long electedTerm) {
        if (term == electedTerm) {
            catchUp(node);
            readyTerm = electedTerm;
        }
    }

    // ---- the log

    CompletableFuture<ProposalOutcome> propose(int node, LogEntry entry, List<Integer> baseCounts) {
        CompletableFuture<ProposalOutcome> outcome = new CompletableFuture<>();
        Proposal proposal = new Proposal(node, baseCounts, outcome);
        int fate = time.pick(100);
        if (fate < 4) {
            time.after(500, () -> outcome.complete(new Unknown("lost")));
        } else if (fate < 10) {
            time.after(time.pick(9_000), () -> append(entry, proposal));
            time.after(400, () -> outcome.complete(new Unknown("late")));
        } else if (fate < 14) {
            time.after(1 + time.pick(5), () -> append(entry, proposal));
            time.after(1 + time.pick(3_000), () -> append(entry, proposal));
        } else if (fate < 17) {
            time.after(1, () -> outcome.complete(new Unknown("indeterminate")));
            time.after(1 + time.pick(30), () -> append(entry, proposal));
        } else {
            time.after(1 + time.pick(5), () -> append(entry, proposal));
        }
        return outcome;
    }

    /** Appends in the term that the node leads now, which may not be the one in which it was decided. */
    private void append(LogEntry entry, Proposal proposal) {
        if (leader != proposal.node()) {
            proposal.outcome().complete(new Unknown("not leader"));
            return;
        }
        log.add(new Logged(new AppliedIndex(term, log.size()), entry, proposal));
        for (int node = 0; node < NODES; node++) {
            int to = node;
            time.after(1 + time.pick(node == leader ? 3 : 60), () -> catchUp(to));
        }
    }

    private void catchUp(int node) {
        GuardNode applying = nodes.get(node);
        while (applying.appliedIndex() + 1 < log.size()) {
            Logged next = log.get((int) applying.appliedIndex() + 1);
            List<Verdict> verdicts = applying.apply(next, checks);
            if (node == next.proposal().node()) {
                next.proposal().outcome().complete(new Judged(verdicts));
            }
        }
    }

    private void maybeInstallSnapshot() {
        int to = time.pick(NODES);
        GuardNode source = nodes.get(leader);
        if (to != leader
                && time.chance(50)
                && source.appliedIndex() > nodes.get(to).appliedIndex()) {
            nodes.get(to).install(source);
        }
        time.after(1_000 + time.pick(6_000), this::maybeInstallSnapshot);
    }

    /** Lets everybody apply everything and compares the stores byte for byte. */
    void settle() {
        for (int node = 0; node < NODES; node++) {
            catchUp(node);
        }
        checks.equalStores(nodes.stream().map(GuardNode::digest).toList());
    }
}
