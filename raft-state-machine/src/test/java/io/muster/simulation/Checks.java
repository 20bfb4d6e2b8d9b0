package io.muster.simulation;

import io.muster.runtime.LogEntry;
import io.muster.runtime.ProposalOutcome;
import io.muster.runtime.ProposalOutcome.Judged;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.simulation.RaftDisk.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All that must hold whatever happens. A violation names what it saw; the seed replays it. */
final class Checks {
    private final GroupChecks groups;
    private final LogChecks log;
    private final SessionChecks sessions;
    private final OffsetChecks offsets;
    private final RequestChecks requests;
    private final VirtualTime time;
    /** By term: its leader. */
    private final Map<Long, Integer> leaders = new HashMap<>();

    private long newestTerm;
    private long newestSince;
    private int lies;
    private int installs;
    private int joins;

    Checks(VirtualTime time, SimulatedTopics topics, long sessionTimeoutMillis) {
        this.time = time;
        this.groups = new GroupChecks(time, topics);
        this.log = new LogChecks(groups);
        this.sessions = new SessionChecks(time, sessionTimeoutMillis);
        this.offsets = new OffsetChecks(groups);
        this.requests = new RequestChecks(time);
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

    RequestChecks requests() {
        return requests;
    }

    /** What happened how often: a simulation that does not do a thing says nothing about it. */
    Map<String, Integer> seen() {
        return Map.ofEntries(
                Map.entry("applied batches", log.appliedBatches()),
                Map.entry("conflicts", log.conflicts()),
                Map.entry("entries applied again", log.appliedAgain()),
                Map.entry("leaderships", leaders.size()),
                Map.entry("answers on the lease of a deposed leader", lies),
                Map.entry("snapshots installed", installs),
                Map.entry("nodes that began with a copy", joins),
                Map.entry("commits stored", offsets.commitsStored()),
                Map.entry("times others owned a group", offsets.timesOthersCame()),
                Map.entry("groups deleted", groups.deletions()),
                Map.entry("sessions expired", groups.expirations()),
                Map.entry("entries too large with one group", requests.refusedEntries()),
                Map.entry("entries too large with several groups", requests.splitEntries()),
                Map.entry("commands refused as too large", requests.refusedCommands()));
    }

    // ---- what nodes do

    /** The log takes an entry. */
    void proposed(LogEntry entry) {
        entry.batches().forEach(batch -> sessions.decided(batch.groupId(), false));
    }

    /** The log refused an entry. */
    void refused(LogEntry entry) {
        requests.refused(entry);
        if (entry.batches().size() == 1) {
            sessions.decided(entry.batches().get(0).groupId(), true);
        }
    }

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

    /** A node that held nothing begins with a copy. */
    void joined() {
        joins++;
    }

    boolean isNew(long index) {
        return log.isNew(index);
    }

    void passed(ShardProcess process, long index, Entry entry) {
        log.passed(index, entry);
    }

    void applied(ShardProcess process, long index, Entry entry, List<String> before, List<Verdict> verdicts) {
        if (log.isNew(index)) {
            requests.applied(Objects.requireNonNull(entry.proposal()).entry());
        }
        log.applied(process, index, entry, before, verdicts);
    }
}
