package io.muster.simulation;

import io.muster.codec.StoredRecords;
import io.muster.core.Command;
import io.muster.core.CoordinatorConfig;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.GroupRecord;
import io.muster.core.Response;
import io.muster.raft.StoredGroups;
import io.muster.runtime.Clock;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.LogEntry;
import io.muster.runtime.OwnedGroupsListener;
import io.muster.runtime.ProposalOutcome;
import io.muster.runtime.ProposalOutcome.Verdict;
import io.muster.runtime.RecordBatch;
import io.muster.runtime.ReplicatedLog;
import io.muster.runtime.ShardLeader;
import io.muster.runtime.ShardPorts;
import io.muster.runtime.TimerService;
import io.muster.runtime.TopicReport;
import io.muster.storage.InMemoryShardStore;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;

/** One node: the product's leader, guard and store, with a fake log, clock, upstream and topic watch. */
final class SimulatedNode implements ReplicatedLog, TimerService, Clock, OwnedGroupsListener {
    private final int id;
    private final VirtualTime time;
    private final SimulatedCluster cluster;
    private final GroupEngine engine;
    private final ShardLeader shard;
    private InMemoryShardStore store;
    private SimulatedGuard guard;
    private long believedTerm;
    private int lastId;

    SimulatedNode(
            int id,
            VirtualTime time,
            SimulatedCluster cluster,
            SimulatedUpstream upstream,
            GroupEngine engine,
            CoordinatorConfig config,
            InMemoryShardStore store,
            SimulatedGuard guard) {
        this.id = id;
        this.time = time;
        this.cluster = cluster;
        this.engine = engine;
        this.store = store;
        this.guard = guard;
        ShardPorts ports = new ShardPorts(
                this,
                new StoredGroups(() -> this.store),
                upstream::start,
                this::watch,
                this,
                this,
                this,
                () -> "id-" + id + "-" + lastId++,
                new ClusterIdentity("simulation", "incarnation", 1, List.of("0", "1", "2")));
        this.shard = new ShardLeader(0, engine, config, ports);
    }

    // ---- leadership

    void ready(long term) {
        believedTerm = term;
        shard.leaderReady(term);
    }

    void lost(long newTerm) {
        if (believedTerm < newTerm) {
            believedTerm = 0;
            shard.leaderLost();
        }
    }

    /** The source's state replaces what is here. */
    void install(SimulatedNode source) {
        believedTerm = 0;
        shard.leaderLost();
        store = source.store.copy();
        guard = source.guard.over(store);
    }

    CompletableFuture<Response> submit(Command command) {
        return shard.submit(command);
    }

    // ---- state

    long failures() {
        return shard.counters().counts().failures();
    }

    long appliedIndex() {
        return store.appliedIndex().index();
    }

    List<Verdict> apply(SimulatedCluster.Logged logged, AppliedObserver checks) {
        List<String> before = checks.isNew(logged.at().index()) ? statesOf(logged.entry()) : List.of();
        List<Verdict> verdicts =
                guard.apply(logged.at(), logged.entry(), logged.proposal().baseCounts());
        checks.applied(this, logged, before, verdicts);
        return verdicts;
    }

    List<Integer> countsOf(LogEntry entry) {
        return entry.batches().stream()
                .map(batch -> guard.countOf(batch.groupId()))
                .toList();
    }

    /** The state of each batch's group in this node's store, as text. */
    List<String> statesOf(LogEntry entry) {
        List<String> states = new ArrayList<>();
        for (RecordBatch batch : entry.batches()) {
            states.add(StoredRecords.load(store, batch.groupId()).toString());
        }
        return states;
    }

    io.muster.runtime.Token tokenOf(String groupId) {
        return StoredRecords.tokenOf(store, groupId);
    }

    int countOf(String groupId) {
        return guard.countOf(groupId);
    }

    /** The stamp of a writer's last applied change, 0 if the group does not exist. */
    int stampOf(String groupId) {
        for (GroupRecord record : StoredRecords.load(store, groupId).records()) {
            if (record instanceof io.muster.core.ConsumerRecord.GroupSet set) {
                return (int) set.assignedAtMillis();
            }
        }
        return 0;
    }

    Group group(String groupId) {
        Group group = Group.absent(groupId);
        for (GroupRecord record : StoredRecords.load(store, groupId).records()) {
            group = engine.evolve(group, record);
        }
        return group;
    }

    String digest() {
        return HexFormat.of().formatHex(store.digest());
    }

    // ---- ports

    @Override
    public CompletableFuture<ProposalOutcome> propose(LogEntry entry) {
        return cluster.propose(id, entry);
    }

    @Override
    public CompletableFuture<Boolean> confirmLeadership(long term) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        time.after(time.pick(2), () -> answer.complete(cluster.leads(id, term)));
        return answer;
    }

    private void watch(Set<String> names) {
        time.after(
                1 + time.pick(10),
                () -> shard.topicsReported(new TopicReport(
                        names.stream().map(SimulatedTopics::topic).toList(), Set.of(), Set.of())));
    }

    @Override
    public void execute(Runnable task) {
        time.after(0, task);
    }

    @Override
    public void schedule(Runnable task, long delayMillis) {
        time.after(delayMillis, task);
    }

    @Override
    public void scheduleAside(Runnable task, long delayMillis) {
        time.after(delayMillis, task);
    }

    @Override
    public void executeAside(Runnable task) {
        time.after(time.chance(10) ? time.pick(5_000) : time.pick(3), task);
    }

    @Override
    public long wallMillis() {
        return time.now();
    }

    @Override
    public long monotonicMillis() {
        return time.now();
    }

    @Override
    public void ownedAtStart(int shardNumber, long term, SortedSet<String> groupIds) {}

    @Override
    public void owned(int shardNumber, long term, String groupId) {}

    @Override
    public void disowned(int shardNumber, long term, String groupId) {}
}
