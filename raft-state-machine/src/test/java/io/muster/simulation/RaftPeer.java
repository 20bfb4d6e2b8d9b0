package io.muster.simulation;

import io.muster.runtime.ProposalOutcome;
import io.muster.runtime.ProposalOutcome.Judged;
import io.muster.runtime.ProposalOutcome.Unknown;
import io.muster.simulation.RaftDisk.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Raft as one node of three runs it, between a crash and the next: elections (without pre-vote, so leaders fall more often than in
 * Ratis), replication, commit, and a lease of 0.9 minimum timeouts that a vote does not wait for.
 */
final class RaftPeer {
    static final long LEASE_MILLIS = 270;
    private static final int MINIMUM_TIMEOUT_MILLIS = 300;
    private static final long HEARTBEAT_MILLIS = 120;
    private static final long STEP_DOWN_MILLIS = 1_000;
    private static final int AT_ONCE = 40;

    /** What the peer needs of its node. */
    interface Host {
        /** Runs something on this node later, if its process lives until then. */
        void after(long delayMillis, Runnable task);

        /** The node's monotonic clock. */
        long nowMillis();

        /** Runs something on the peer of another node. */
        void send(int to, Consumer<RaftPeer> delivery);

        /** Hands entries that are committed to the state machine. */
        void applyCommitted();

        void lostLeadership();

        void newLeader(int leaderId);

        /** Offers the latest snapshot to a follower that needs what the log has no more. */
        void sendSnapshot(int to);

        long appliedIndex();
    }

    private enum Role {
        FOLLOWER,
        CANDIDATE,
        LEADER
    }

    private final int id;
    private final RaftDisk disk;
    private final VirtualTime time;
    private final Host host;
    private Role role = Role.FOLLOWER;
    private int leaderId = RaftDisk.NOBODY;
    private long commitIndex = -1;
    private boolean ready;
    private long electionDue;
    private int votes;
    private long firstIndexOfTerm;
    private final Map<Integer, Long> nextIndex = new HashMap<>();
    private final Map<Integer, Long> matchIndex = new HashMap<>();
    /** When the last append that a peer acknowledged was sent. */
    private final Map<Integer, Long> acknowledged = new HashMap<>();

    private final TreeMap<Long, CompletableFuture<ProposalOutcome>> pending = new TreeMap<>();

    RaftPeer(int id, RaftDisk disk, VirtualTime time, Host host) {
        this.id = id;
        this.disk = disk;
        this.time = time;
        this.host = host;
    }

    /** @param snapshotIndex what the latest snapshot covers is committed, though the log may end before it */
    void start(long snapshotTerm, long snapshotIndex) {
        if (disk.lastIndex() < snapshotIndex) {
            disk.startAfter(snapshotTerm, snapshotIndex);
        }
        commitIndex = snapshotIndex;
        heardOfLeader();
        watchElection();
    }

    int id() {
        return id;
    }

    RaftDisk disk() {
        return disk;
    }

    long commitIndex() {
        return commitIndex;
    }

    boolean isLeader() {
        return role == Role.LEADER;
    }

    boolean isReady() {
        return isLeader() && ready;
    }

    long term() {
        return disk.term();
    }

    // ---- elections

    private void heardOfLeader() {
        electionDue = host.nowMillis() + MINIMUM_TIMEOUT_MILLIS + time.pick(MINIMUM_TIMEOUT_MILLIS);
    }

    private void watchElection() {
        long wait = electionDue - host.nowMillis();
        host.after(Math.max(1, wait), () -> {
            if (role != Role.LEADER && host.nowMillis() >= electionDue) {
                stand();
            } else if (role == Role.LEADER) {
                electionDue = host.nowMillis() + HEARTBEAT_MILLIS;
            }
            watchElection();
        });
    }

    private void stand() {
        heardOfLeader();
        role = Role.CANDIDATE;
        disk.vote(disk.term() + 1, id);
        votes = 1;
        long term = disk.term();
        long lastIndex = disk.lastIndex();
        long lastTerm = disk.lastTerm();
        others(to -> host.send(to, peer -> peer.voteAsked(id, term, lastIndex, lastTerm)));
    }

    private void voteAsked(int candidate, long term, long lastIndex, long lastTerm) {
        if (term > disk.term()) {
            follow(term);
        }
        boolean upToDate = lastTerm > disk.lastTerm() || (lastTerm == disk.lastTerm() && lastIndex >= disk.lastIndex());
        boolean free = disk.votedFor() == RaftDisk.NOBODY || disk.votedFor() == candidate;
        if (term == disk.term() && upToDate && free) {
            disk.vote(term, candidate);
            heardOfLeader();
            host.send(candidate, peer -> peer.voteGiven(term));
        }
    }

    private void voteGiven(long term) {
        if (role == Role.CANDIDATE && term == disk.term() && ++votes == 2) {
            lead();
        }
    }

    private void lead() {
        role = Role.LEADER;
        leaderId = id;
        ready = false;
        host.newLeader(id);
        long now = host.nowMillis();
        others(to -> {
            nextIndex.put(to, disk.lastIndex() + 1);
            matchIndex.put(to, -1L);
            acknowledged.put(to, now);
        });
        disk.append(new Entry(disk.term(), null));
        firstIndexOfTerm = disk.lastIndex();
        beat(disk.term());
    }

    /** Follows in this term; whatever was led before is over. */
    private void follow(long term) {
        boolean led = role == Role.LEADER;
        role = Role.FOLLOWER;
        ready = false;
        if (term > disk.term()) {
            disk.vote(term, RaftDisk.NOBODY);
            leaderId = RaftDisk.NOBODY;
        }
        if (led) {
            host.lostLeadership();
            List<CompletableFuture<ProposalOutcome>> unknown = List.copyOf(pending.values());
            pending.clear();
            unknown.forEach(outcome -> outcome.complete(new Unknown("not leader any more")));
        }
    }

    // ---- the leader

    private void beat(long ofTerm) {
        if (role != Role.LEADER || disk.term() != ofTerm) {
            return;
        }
        long quorumSeen =
                acknowledged.values().stream().mapToLong(at -> at).max().orElseThrow();
        if (host.nowMillis() - quorumSeen > STEP_DOWN_MILLIS) {
            follow(ofTerm);
            heardOfLeader();
            return;
        }
        others(this::replicate);
        host.after(HEARTBEAT_MILLIS, () -> beat(ofTerm));
    }

    private void replicate(int to) {
        long next = nextIndex.get(to);
        if (disk.termOf(next - 1).isEmpty()) {
            host.sendSnapshot(to);
            nextIndex.put(to, disk.lastIndex() + 1);
            return;
        }
        List<Entry> entries = disk.from(next, AT_ONCE);
        long previousTerm = disk.termOf(next - 1).orElseThrow();
        long term = disk.term();
        long commit = commitIndex;
        long sentAt = host.nowMillis();
        host.send(to, peer -> peer.appendAsked(id, term, next - 1, previousTerm, entries, commit, sentAt));
    }

    private void appended(int from, long term, long upTo, boolean matched, long sentAt) {
        if (term > disk.term()) {
            follow(term);
        }
        if (role != Role.LEADER || term != disk.term()) {
            return;
        }
        acknowledged.merge(from, sentAt, Math::max);
        if (!matched) {
            nextIndex.put(from, Math.min(nextIndex.get(from), Math.max(0, upTo + 1)));
            matchIndex.merge(from, upTo, Math::min); // it may have lost its disk
            replicate(from);
            return;
        }
        matchIndex.merge(from, upTo, Math::max);
        nextIndex.put(from, matchIndex.get(from) + 1);
        long quorum =
                matchIndex.values().stream().mapToLong(index -> index).max().orElseThrow();
        if (quorum > commitIndex
                && disk.termOf(quorum).filter(t -> t == disk.term()).isPresent()) {
            commitIndex = quorum;
            host.after(time.pick(3), host::applyCommitted);
        }
        if (nextIndex.get(from) <= disk.lastIndex()) {
            replicate(from);
        }
    }

    /** Appends if this node leads now, in whatever term that is. */
    void propose(RaftDisk.Proposal proposal, CompletableFuture<ProposalOutcome> outcome) {
        if (role != Role.LEADER) {
            outcome.complete(new Unknown("not leader"));
            return;
        }
        disk.append(new Entry(disk.term(), proposal));
        pending.put(disk.lastIndex(), outcome);
        others(this::replicate);
    }

    /** An entry was applied here. */
    void applied(long index, List<ProposalOutcome.Verdict> verdicts) {
        CompletableFuture<ProposalOutcome> outcome = pending.remove(index);
        if (outcome != null) {
            boolean judged = verdicts.size()
                    == disk.get(index).proposal().entry().batches().size();
            outcome.complete(judged ? new Judged(verdicts) : new Unknown("not applied here"));
        }
    }

    /** Whether the configuration entry at this index is the one with which this leadership begins; the leader is ready then. */
    boolean beginsLeadership(long index) {
        boolean begins = role == Role.LEADER && index == firstIndexOfTerm;
        ready |= begins;
        return begins;
    }

    /** A linearizable read: at once while the lease lasts, else after a round of heartbeats. */
    void confirm(long term, Consumer<Boolean> answer) {
        if (role != Role.LEADER || disk.term() != term) {
            answer.accept(false);
            return;
        }
        if (hasLease()) {
            answer.accept(true);
            return;
        }
        others(this::replicate);
        long askedAt = host.nowMillis();
        host.after(60, () -> confirmedSince(term, askedAt, answer, 10));
    }

    private void confirmedSince(long term, long askedAt, Consumer<Boolean> answer, int tries) {
        boolean leads = role == Role.LEADER && disk.term() == term;
        boolean seen = acknowledged.values().stream().anyMatch(at -> at >= askedAt);
        if (!leads || seen || tries == 0) {
            answer.accept(leads && seen);
        } else {
            host.after(60, () -> confirmedSince(term, askedAt, answer, tries - 1));
        }
    }

    private boolean hasLease() {
        long since = host.nowMillis() - LEASE_MILLIS;
        return acknowledged.values().stream().anyMatch(at -> at >= since);
    }

    // ---- the follower

    private void appendAsked(
            int from, long term, long previous, long previousTerm, List<Entry> entries, long commit, long sentAt) {
        if (term < disk.term()) {
            long newer = disk.term();
            host.send(from, peer -> peer.appended(id, newer, -1, false, 0));
            return;
        }
        recognize(from, term);
        boolean matched = previous < disk.firstIndex() - 1
                || disk.termOf(previous).filter(t -> t == previousTerm).isPresent();
        if (!matched) {
            long wanted = Math.min(previous - 1, disk.lastIndex());
            host.send(from, peer -> peer.appended(id, term, wanted, false, sentAt));
            return;
        }
        store(previous + 1, entries);
        long upTo = previous + entries.size();
        if (Math.min(commit, upTo) > commitIndex) {
            commitIndex = Math.min(commit, upTo);
            host.after(time.pick(40), host::applyCommitted);
        }
        host.send(from, peer -> peer.appended(id, term, upTo, true, sentAt));
    }

    private void recognize(int from, long term) {
        if (term > disk.term() || role == Role.CANDIDATE) {
            follow(term);
        }
        heardOfLeader();
        if (leaderId != from) {
            leaderId = from;
            host.newLeader(from);
        }
    }

    private void store(long first, List<Entry> entries) {
        for (int i = 0; i < entries.size(); i++) {
            long index = first + i;
            if (index < disk.firstIndex()) {
                continue;
            }
            Entry entry = entries.get(i);
            if (index <= disk.lastIndex() && disk.get(index).term() != entry.term()) {
                disk.truncateFrom(index);
            }
            if (index > disk.lastIndex()) {
                disk.append(entry);
            }
        }
    }

    /** Whether a snapshot that this leader offers is of use. */
    boolean accepts(int from, long term, long snapshotIndex) {
        if (term < disk.term()) {
            return false;
        }
        recognize(from, term);
        return snapshotIndex > commitIndex;
    }

    /** The log goes on after a snapshot that was installed. */
    void installed(long snapshotTerm, long snapshotIndex) {
        disk.startAfter(snapshotTerm, snapshotIndex);
        commitIndex = snapshotIndex;
    }

    private static final int[] ALL = {0, 1, 2};

    private void others(java.util.function.IntConsumer action) {
        for (int to : ALL) {
            if (to != id) {
                action.accept(to);
            }
        }
    }
}
