package io.muster.simulation;

import io.muster.codec.LogEntryCodec;
import io.muster.codec.StoredRecords;
import io.muster.core.Bytes;
import io.muster.core.Command;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.GroupRecord;
import io.muster.core.Response;
import io.muster.core.ShardTime;
import io.muster.raft.DrivenStateMachine;
import io.muster.raft.StoredGroups;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.LeadershipListener;
import io.muster.runtime.LogEntry;
import io.muster.runtime.ProposalOutcome;
import io.muster.runtime.ProposalOutcome.TooLarge;
import io.muster.runtime.ProposalOutcome.Unknown;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.runtime.ReplicatedLog;
import io.muster.runtime.ShardAnnouncements;
import io.muster.runtime.ShardLeader;
import io.muster.runtime.ShardPorts;
import io.muster.runtime.TimerService;
import io.muster.simulation.RaftDisk.Entry;
import io.muster.simulation.RaftDisk.Proposal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A node's process from its start to its end: the product's state machine and leader on the simulated Raft, clocks and disk. */
final class ShardProcess implements ReplicatedLog, TimerService, ShardAnnouncements, RaftPeer.Host {
    /** The most that the log takes in one entry: so little that what comes together often does not fit. */
    static final int MOST_ENTRY_BYTES = 3_000;

    private static final long SNAPSHOT_THRESHOLD = 40;
    private static final int MOST_KEPT_BEFORE_SNAPSHOT = 30;

    private final SimulatedNode node;
    private final SimulatedCluster cluster;
    private final VirtualTime time;
    private final GroupEngine engine;
    private final DrivenStateMachine machine;
    private final RaftPeer raft;
    private final ShardLeader shard;
    private boolean installing;
    private boolean offering;
    private int lastId;

    ShardProcess(SimulatedNode node, SimulatedCluster cluster, VirtualTime time) {
        this.node = node;
        this.cluster = cluster;
        this.time = time;
        this.engine = cluster.engine(node);
        this.raft = new RaftPeer(node.id(), node.disk(), time, this);
        this.machine = new DrivenStateMachine(
                node.directory(),
                node.id(),
                directory -> FlushedStore.open(directory, time),
                new DrivenStateMachine.Standing() {
                    @Override
                    public boolean isLeaderReady() {
                        return raft.isReady();
                    }

                    @Override
                    public long currentTerm() {
                        return raft.term();
                    }
                },
                (reason, cause) -> cluster.fatal(node, reason, cause));
        long incarnation = time.now();
        ShardPorts ports = new ShardPorts(
                this,
                new StoredGroups(machine::store),
                (groupId, operation, report) -> cluster.startClaim(this, groupId, operation, report),
                names -> cluster.topics().watch(this, names),
                this,
                this,
                node.clock(),
                () -> "id-" + node.id() + "-" + incarnation + "-" + lastId++,
                new ClusterIdentity("simulation", "incarnation", 1, List.of("0", "1", "2")));
        this.shard = new ShardLeader(0, engine, cluster.config(), ports);
    }

    void start() {
        try {
            machine.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        machine.listen(new Leadership());
        raft.start(machine.latestSnapshotTerm(), machine.latestSnapshot());
    }

    void trace(String pattern, Object... values) {
        time.trace(pattern, values);
    }

    SimulatedNode node() {
        return node;
    }

    RaftPeer raft() {
        return raft;
    }

    ShardLeader shard() {
        return shard;
    }

    DrivenStateMachine machine() {
        return machine;
    }

    /** Whether it runs still. */
    boolean isAlive() {
        return node.process().filter(running -> running == this).isPresent();
    }

    boolean isInstalling() {
        return installing;
    }

    CompletableFuture<Response> submit(Command command) {
        return shard.submit(command);
    }

    // ---- state

    Group group(String groupId) {
        return fold(StoredRecords.load(machine.store(), groupId).records(), groupId);
    }

    Group fold(List<GroupRecord> records, String groupId) {
        Group group = Group.absent(groupId);
        for (GroupRecord record : records) {
            group = engine.evolve(group, record);
        }
        return group;
    }

    String digest() {
        return HexFormat.of().formatHex(machine.store().digest());
    }

    /** The state of each batch's group in this node's store, as text. */
    List<String> statesOf(LogEntry entry) {
        List<String> states = new ArrayList<>();
        entry.batches()
                .forEach(batch -> states.add(
                        StoredRecords.load(machine.store(), batch.groupId()).toString()));
        return states;
    }

    // ---- the log, for the leader

    @Override
    public CompletableFuture<ProposalOutcome> propose(LogEntry entry) {
        byte[] bytes = LogEntryCodec.encode(entry);
        if (bytes.length > MOST_ENTRY_BYTES) {
            trace("%s: too large with %d bytes: %s", node, bytes.length, entry);
            cluster.checks().refused(entry);
            return CompletableFuture.completedFuture(new TooLarge(bytes.length, MOST_ENTRY_BYTES));
        }
        cluster.checks().proposed(entry);
        CompletableFuture<ProposalOutcome> outcome = new CompletableFuture<>();
        CompletableFuture<Void> unused =
                outcome.thenAccept(end -> cluster.checks().ended(this, entry, end));
        Proposal proposal = new Proposal(node.id(), entry, Bytes.copyOf(bytes), statesOf(entry));
        int fate = time.isCalm() ? 99 : time.pick(100);
        if (fate < 1) {
            node.after(this, 500, () -> outcome.complete(new Unknown("lost")));
        } else if (fate < 4) {
            node.after(this, time.pick(9_000), () -> raft.propose(proposal, new CompletableFuture<>()));
            node.after(this, 400, () -> outcome.complete(new Unknown("late")));
        } else if (fate < 6) {
            node.after(this, 1, () -> raft.propose(proposal, outcome));
            node.after(this, 1 + time.pick(3_000), () -> raft.propose(proposal, new CompletableFuture<>()));
        } else {
            node.after(this, 1, () -> raft.propose(proposal, outcome));
        }
        return outcome;
    }

    @Override
    public CompletableFuture<Boolean> confirmLeadership(long term) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        node.after(
                this,
                time.pick(2),
                () -> raft.confirm(term, leads -> {
                    cluster.checks().confirmed(this, term, leads);
                    answer.complete(leads);
                }));
        return answer;
    }

    // ---- the log, for Raft

    @Override
    public void after(long delayMillis, Runnable task) {
        node.after(this, delayMillis, task);
    }

    @Override
    public long nowMillis() {
        return node.clock().monotonicMillis();
    }

    @Override
    public void send(int to, Consumer<RaftPeer> delivery) {
        cluster.network()
                .send(
                        node.id(),
                        to,
                        () -> cluster.node(to)
                                .process()
                                .ifPresent(running -> running.after(0, () -> delivery.accept(running.raft))));
    }

    @Override
    public void lostLeadership() {
        machine.notLeader();
        cluster.topics().end(this);
    }

    @Override
    public void newLeader(int leaderId) {
        time.trace("%s follows %d in term %d", node, leaderId, raft.term());
        cluster.checks().newLeader(node.id(), leaderId, raft.term());
        machine.leaderChanged(leaderId);
    }

    @Override
    public long appliedIndex() {
        return machine.applied();
    }

    @Override
    public void applyCommitted() {
        while (!installing && machine.applied() < raft.commitIndex()) {
            long index = machine.applied() + 1;
            apply(index, node.disk().get(index));
        }
        if (!installing && machine.snapshotIfDue(SNAPSHOT_THRESHOLD)) {
            long kept = time.pick(MOST_KEPT_BEFORE_SNAPSHOT);
            node.disk().purgeBefore(machine.latestSnapshot() + 1 - kept);
        }
    }

    private void apply(long index, Entry entry) {
        Proposal proposal = entry.proposal();
        if (proposal == null) {
            machine.applyConfiguration(entry.term(), index, raft.beginsLeadership(index));
            cluster.checks().passed(this, index, entry);
            return;
        }
        List<String> before = cluster.checks().isNew(index) ? statesOf(proposal.entry()) : List.of();
        List<Verdict> verdicts =
                machine.apply(entry.term(), index, proposal.bytes().toArray());
        cluster.checks().applied(this, index, entry, before, verdicts);
        raft.applied(index, verdicts);
    }

    // ---- snapshots

    /** Copies the store for a node that holds nothing, if that much is applied. */
    Optional<JoiningNode.Copied> copyFor(SimulatedNode joining, long atLeast) {
        if (installing) {
            return Optional.empty();
        }
        Path files = node.directory().resolve("copy-for-" + joining.id());
        try {
            return machine.copy(atLeast, files).map(at -> new JoiningNode.Copied(files, at));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void sendSnapshot(int to) {
        if (offering || machine.latestSnapshot() < 0 || !cluster.node(to).isUp()) {
            return;
        }
        offering = true;
        long term = raft.term();
        after(10 + time.pick(200), () -> {
            offering = false;
            Path files = machine.latestSnapshotDirectory();
            cluster.network()
                    .send(
                            node.id(),
                            to,
                            () -> cluster.node(to)
                                    .process()
                                    .ifPresent(running ->
                                            running.after(0, () -> running.install(node.id(), term, files))));
        });
    }

    private void install(int from, long term, Path files) {
        String[] at = files.getFileName().toString().replace("snapshot.", "").split("_");
        long snapshotTerm = Long.parseLong(at[0]);
        long snapshotIndex = Long.parseLong(at[1]);
        if (installing || !Files.exists(files) || !raft.accepts(from, term, snapshotIndex)) {
            return;
        }
        try {
            Path received = machine.receive(files);
            machine.pause();
            applyCommitted(); // what is on its way to the store still gets there
            installing = true;
            cluster.topics().end(this);
            cluster.checks().installing();
            if (time.chance(5)) {
                cluster.crash(node);
                return;
            }
            machine.publish(received);
            if (time.chance(5)) {
                cluster.crash(node);
                return;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        raft.installed(snapshotTerm, snapshotIndex);
        after(time.pick(30), this::reload);
    }

    private void reload() {
        try {
            machine.reload();
            installing = false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        applyCommitted();
    }

    // ---- threads

    @Override
    public void execute(Runnable task) {
        node.onShardThread(this, 0, task);
    }

    @Override
    public void schedule(Runnable task, long delayMillis) {
        node.onShardThread(this, delayMillis, task);
    }

    @Override
    public void scheduleAside(Runnable task, long delayMillis) {
        node.after(this, delayMillis, task);
    }

    @Override
    public void executeAside(Runnable task) {
        node.after(this, time.chance(10) ? time.pick(5_000) : time.pick(3), task);
    }

    // ---- what gateways are told

    @Override
    public void ownedAtStart(int shardNumber, long term, SortedSet<String> groupIds) {}

    @Override
    public void owned(int shardNumber, long term, String groupId) {}

    @Override
    public void disowned(int shardNumber, long term, String groupId) {}

    @Override
    public void connectionRecorded(ShardTime recorded) {
        cluster.tellGateways(this, recorded);
    }

    /** As a node does when it begins to lead: first what gateways are told, then the shard's thread. */
    private final class Leadership implements LeadershipListener {
        @Override
        public void leaderReady(long term) {
            shard.leaderReady(term);
            cluster.tellGateways(ShardProcess.this, new ShardTime(0, term, 0));
        }

        @Override
        public void leaderLost() {
            shard.leaderLost();
        }
    }
}
