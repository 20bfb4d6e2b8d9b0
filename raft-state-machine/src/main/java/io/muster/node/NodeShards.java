package io.muster.node;

import io.muster.core.ClaimMarks;
import io.muster.core.Command;
import io.muster.core.GroupEngine;
import io.muster.core.Response;
import io.muster.core.claim.ClaimLogic;
import io.muster.core.consumer.ConsumerGroupLogic;
import io.muster.core.streams.StreamsGroupLogic;
import io.muster.raft.FatalHandler;
import io.muster.raft.RatisNode;
import io.muster.raft.ShardStatus;
import io.muster.rpc.ConnectedGateways;
import io.muster.rpc.DaemonThreads;
import io.muster.rpc.LocalNode;
import io.muster.rpc.LocalShards;
import io.muster.rpc.ShardLeadership;
import io.muster.runtime.Clock;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.GroupSummary;
import io.muster.runtime.IdSource;
import io.muster.runtime.LeadershipListener;
import io.muster.runtime.ShardLeader;
import io.muster.runtime.ShardPorts;
import io.muster.runtime.ShardRouter;
import io.muster.runtime.TopicReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The shards of this node: each a leader-to-be over its Raft log, and the gateways that work for them. */
public final class NodeShards implements LocalShards, LocalNode, AutoCloseable {
    private final String nodeId;
    private final boolean takeOverClaims;
    private final RatisNode raft;
    private final ShardRouter router;
    private final ConnectedGateways gateways;
    private final ExecutorService aside = Executors.newFixedThreadPool(2, DaemonThreads.named("shard-aside"));
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("rpc-timer"));
    private final ScheduledExecutorService ticker =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("shard-ticker"));
    private final List<ShardThread> threads = new ArrayList<>();
    private final List<ShardLeader> leaders = new ArrayList<>();
    private final AtomicReferenceArray<ShardLeadership> leaderships;

    /**
     * Nothing is led before {@link #listen}.
     *
     * @param fatalHandler called when a shard's thread fails: the process must end
     */
    public NodeShards(NodeConfig config, RatisNode raft, FatalHandler fatalHandler) {
        this.nodeId = config.nodeId();
        this.takeOverClaims = config.takeOverClaims();
        this.raft = raft;
        int shards = config.cluster().shards();
        this.router = new ShardRouter(shards);
        this.leaderships = new AtomicReferenceArray<>(shards);
        for (int shard = 0; shard < shards; shard++) {
            leaderships.set(shard, new ShardLeadership(shard, 0, "", false));
        }
        this.gateways = new ConnectedGateways(this, timer);
        ClaimLogic claims = new ClaimLogic();
        GroupEngine engine = new GroupEngine(new ConsumerGroupLogic(claims), new StreamsGroupLogic(claims), claims);
        Clock clock = new SystemClock();
        IdSource ids = new RandomIds();
        ClusterIdentity founding = config.cluster().of(ids.freshId());
        for (int shard = 0; shard < shards; shard++) {
            ShardThread thread = new ShardThread(shard, aside, ticker, fatalHandler);
            threads.add(thread);
            leaders.add(new ShardLeader(
                    shard,
                    engine,
                    config.coordinator(),
                    new ShardPorts(
                            raft.log(shard),
                            raft.appliedGroups(shard),
                            gateways.upstreamClaims(),
                            gateways.topicWatch(shard),
                            gateways,
                            thread,
                            clock,
                            ids,
                            founding)));
        }
    }

    /** Begins to lead what Raft gives this node to lead. */
    public void listen() {
        for (int shard = 0; shard < count(); shard++) {
            raft.listen(shard, new Leadership(shard));
        }
    }

    /** The gateways that are connected to this node. */
    public ConnectedGateways gateways() {
        return gateways;
    }

    /** The shards that this node leads now. */
    public List<Integer> led() {
        List<Integer> led = new ArrayList<>();
        for (int shard = 0; shard < count(); shard++) {
            if (leaderships.get(shard).here()) {
                led.add(shard);
            }
        }
        return led;
    }

    @Override
    public int count() {
        return router.shards();
    }

    @Override
    public ShardLeadership leadership(int shard) {
        ShardLeadership known = leaderships.get(shard);
        if (known.here()) {
            return known;
        }
        ShardStatus status = raft.status(shard);
        return new ShardLeadership(shard, status.term(), status.leaderId(), false);
    }

    @Override
    public CompletableFuture<Response> submit(Command command) {
        return leaders.get(router.shardOf(command.groupId())).submit(command);
    }

    @Override
    public CompletableFuture<List<GroupSummary>> listGroups(int shard) {
        return leaders.get(shard).listGroups();
    }

    @Override
    public CompletableFuture<Response> raiseFeatureLevel(int shard, int level) {
        return leaders.get(shard).raiseFeatureLevel(level);
    }

    @Override
    public void topicsCreated() {
        leaders.forEach(ShardLeader::topicsCreated);
    }

    @Override
    public ClaimMarks claimMarks(int shard) {
        List<String> known = raft.appliedGroups(shard).claimMarks();
        return new ClaimMarks(known.isEmpty() ? "" : known.get(known.size() - 1), known, takeOverClaims);
    }

    @Override
    public void topicsReported(int shard, TopicReport report) {
        leaders.get(shard).topicsReported(report);
    }

    @Override
    public List<ShardState> shardStates() {
        List<ShardState> states = new ArrayList<>();
        for (int shard = 0; shard < count(); shard++) {
            ShardStatus status = raft.status(shard);
            states.add(new ShardState(
                    shard,
                    status.role(),
                    status.leaderId(),
                    status.term(),
                    status.appliedIndex(),
                    status.commitIndex(),
                    status.snapshotIndex(),
                    raft.appliedGroups(shard).featureLevel(),
                    status.leaderChanges()));
        }
        return states;
    }

    @Override
    public String storeDigest(int shard) {
        return HexFormat.of().formatHex(raft.digest(shard));
    }

    @Override
    public void transferLeadership(int shard, String toNodeId) throws IOException {
        raft.transferLeadership(shard, toNodeId);
    }

    @Override
    public long takeSnapshot(int shard) throws IOException {
        return raft.takeSnapshot(shard);
    }

    @Override
    public void close() {
        threads.forEach(ShardThread::close);
        ticker.shutdownNow();
        aside.shutdownNow();
        timer.shutdownNow();
    }

    /** Passes leadership on: first to what gateways are told, then to the shard's thread. */
    private final class Leadership implements LeadershipListener {
        private final int shard;

        Leadership(int shard) {
            this.shard = shard;
        }

        @Override
        public void leaderReady(long term) {
            ShardLeadership leadership = new ShardLeadership(shard, term, nodeId, true);
            leaderships.set(shard, leadership);
            leaders.get(shard).leaderReady(term);
            gateways.leadershipChanged(leadership);
        }

        @Override
        public void leaderLost() {
            ShardLeadership lost =
                    new ShardLeadership(shard, leaderships.get(shard).term(), "", false);
            leaderships.set(shard, lost);
            leaders.get(shard).leaderLost();
            gateways.leadershipChanged(lost);
        }
    }
}
