package io.muster.simulation;

import io.muster.runtime.LogEntry;
import io.muster.runtime.ProposalOutcome;
import io.muster.runtime.ProposalOutcome.Judged;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.simulation.RaftDisk.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All that must hold whatever happens. A violation names what it saw; the seed replays it. */
final class Checks {
    private final GroupChecks groups;
    private final LogChecks log;
    private final SessionChecks sessions;
    private final OffsetChecks offsets;
    private final VirtualTime time;
    /** By term: its leader. */
    private final Map<Long, Integer> leaders = new HashMap<>();

    private long newestTerm;
    private long newestSince;
    private int lies;
    private int installs;

    Checks(VirtualTime time, SimulatedTopics topics, long sessionTimeoutMillis) {
        this.time = time;
        this.groups = new GroupChecks(time, topics);
        this.log = new LogChecks(groups);
        this.sessions = new SessionChecks(time, sessionTimeoutMillis);
        this.offsets = new OffsetChecks(groups);
    }

    GroupChecks groups() {
        return groups;
    }

    LogChecks log() {
        return log;
    }

    SessionChecks sessions() {
        return sessions;
    }

    OffsetChecks offsets() {
        return offsets;
    }

    /** What happened how often: a simulation that does not do a thing says nothing about it. */
    Map<String, Integer> seen() {
        return Map.of(
                "applied batches", log.appliedBatches(),
                "conflicts", log.conflicts(),
                "entries applied again", log.appliedAgain(),
                "leaderships", leaders.size(),
                "answers on the lease of a deposed leader", lies,
                "snapshots installed", installs,
                "commits stored", offsets.commitsStored(),
                "times others owned a group", offsets.timesOthersCame(),
                "groups deleted", groups.deletions(),
                "sessions expired", groups.expirations());
    }

    // ---- what nodes do

    void proposed(ShardProcess process, LogEntry entry, byte[] bytes) {}

    void ended(ShardProcess process, LogEntry entry, ProposalOutcome end) {
        boolean fine = end instanceof Judged judged
                && judged.verdicts().stream().allMatch(verdict -> verdict == Verdict.APPLIED);
        if (!fine) {
            entry.batches().forEach(batch -> sessions.doubt(batch.groupId()));
        }
    }

    void confirmed(ShardProcess process, long term, boolean leads) {
        if (!leads) {
            sessions.doubtAll();
        } else if (term < newestTerm) {
            lies++;
            if (time.now() - newestSince > RaftPeer.LEASE_MILLIS + 60) {
                throw new AssertionError(process.node() + " believes in its lease of term " + term
                        + " too long after term " + newestTerm);
            }
        }
    }

    void newLeader(int node, int leaderId, long term) {
        Integer other = leaders.putIfAbsent(term, leaderId);
        if (other != null && other != leaderId) {
            throw new AssertionError("two leaders in term " + term + ": " + other + " and " + leaderId);
        }
        if (node == leaderId && term > newestTerm) {
            newestTerm = term;
            newestSince = time.now();
        }
    }

    void installing() {
        installs++;
    }

    boolean isNew(long index) {
        return log.isNew(index);
    }

    void passed(ShardProcess process, long index, Entry entry) {
        log.passed(index, entry);
    }

    void applied(ShardProcess process, long index, Entry entry, List<String> before, List<Verdict> verdicts) {
        log.applied(process, index, entry, before, verdicts);
    }
}
