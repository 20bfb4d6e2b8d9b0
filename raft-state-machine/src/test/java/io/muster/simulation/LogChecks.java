package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.runtime.RecordBatch;
import io.muster.simulation.RaftDisk.Entry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must hold of the log: what was applied once stays, every node judges it alike, and nothing counts twice. */
final class LogChecks {
    /** Reading a whole store at each entry would take longer than all else. */
    private static final int DIGEST_EVERY = 10;

    private final GroupChecks groups;
    private final Map<Long, Entry> entries = new HashMap<>();
    private final Map<Long, List<Verdict>> verdictsByIndex = new HashMap<>();
    private final Map<Long, String> digests = new HashMap<>();
    private final Set<String> appliedTokens = new HashSet<>();
    private int appliedBatches;
    private int conflicts;
    private int appliedAgain;

    LogChecks(GroupChecks groups) {
        this.groups = groups;
    }

    int appliedBatches() {
        return appliedBatches;
    }

    int conflicts() {
        return conflicts;
    }

    /** How many entries were applied by a node that had applied them before it crashed. */
    int appliedAgain() {
        return appliedAgain;
    }

    boolean isNew(long index) {
        return !entries.containsKey(index);
    }

    /** A node passed over a configuration entry. */
    void passed(long index, Entry entry) {
        stays(index, entry);
    }

    private void stays(long index, Entry entry) {
        Entry first = entries.putIfAbsent(index, entry);
        if (first != null) {
            assertThat(entry)
                    .as("the entry at %d, which was applied, is another one now", index)
                    .isSameAs(first);
        }
    }

    void applied(ShardProcess process, long index, Entry entry, List<String> before, List<Verdict> verdicts) {
        boolean first = isNew(index);
        stays(index, entry);
        if (!verdicts.isEmpty()) {
            List<Verdict> others = verdictsByIndex.putIfAbsent(index, verdicts);
            if (others != null) {
                appliedAgain++;
                assertThat(verdicts)
                        .as("verdicts on entry %d on every node", index)
                        .isEqualTo(others);
            }
            sameStore(process, index);
        }
        if (first) {
            judge(process, index, entry, before, verdicts);
        }
    }

    private void sameStore(ShardProcess process, long index) {
        if (index % DIGEST_EVERY == 0) {
            String digest = process.digest();
            String others = digests.putIfAbsent(index, digest);
            assertThat(others == null || others.equals(digest))
                    .as("the store of %s after entry %d equals the others", process.node(), index)
                    .isTrue();
        }
    }

    private void judge(ShardProcess process, long index, Entry entry, List<String> before, List<Verdict> verdicts) {
        RaftDisk.Proposal proposal = java.util.Objects.requireNonNull(entry.proposal());
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < verdicts.size(); i++) {
            RecordBatch batch = proposal.entry().batches().get(i);
            if (verdicts.get(i) == Verdict.CONFLICT) {
                conflicts++;
                continue;
            }
            appliedBatches++;
            String once = proposal.entry().token() + "/" + i;
            assertThat(appliedTokens.add(once))
                    .as("batch %s of group %s is applied once", once, batch.groupId())
                    .isTrue();
            if (seen.add(batch.groupId())) {
                assertThat(before.get(i))
                        .as(
                                "entry %d changes group %s as it was when that was decided (lost update)",
                                index, batch.groupId())
                        .isEqualTo(proposal.baseStates().get(i));
            }
            process.trace("entry %d changes %s: %s", index, batch.groupId(), batch.records());
            groups.applied(index, batch, process.group(batch.groupId()));
        }
    }
}
