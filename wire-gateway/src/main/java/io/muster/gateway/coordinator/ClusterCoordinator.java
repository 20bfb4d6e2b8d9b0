package io.muster.gateway.coordinator;

import io.muster.core.Command;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.core.ShardTime;
import io.muster.gateway.coordinator.PendingRequest.Question;
import io.muster.rpc.ConnectedGateway.ClaimTask;
import io.muster.rpc.ConnectedGateway.LeasedWatch;
import io.muster.rpc.ConnectedGateway.OwnedChange;
import io.muster.rpc.ConnectedGateway.TopicLook;
import io.muster.rpc.CoordinatorAnswer;
import io.muster.rpc.DaemonThreads;
import io.muster.rpc.LocalCoordinator;
import io.muster.rpc.RpcLoop;
import io.muster.rpc.ShardLeadership;
import io.muster.runtime.GroupSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Talks to the coordinator nodes: calls the one of its own process directly, and all others over gRPC. */
public final class ClusterCoordinator implements Coordinator, AutoCloseable {
    private static final long TICK_MILLIS = 50;
    private static final long NUDGE_MILLIS = 250;

    private final CoordinatorClientConfig config;
    private final ClaimExecutor claims;
    private final LeasedTopics topics;
    private final ShardRouting routing = new ShardRouting();
    private final OwnedGroupIds owned = new OwnedGroupIds();
    private final HeardTimes times = new HeardTimes();
    private final AtomicLong lastNumber = new AtomicLong();
    private final RpcLoop loop = new RpcLoop("coordinator-io");
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("coordinator-timer"));
    private final Optional<LocalSession> local;
    private final List<NodeLink> links;
    private volatile List<String> troubles = List.of();

    /**
     * Begins to connect to all nodes and returns at once.
     *
     * @param own the node of this process, if it has one
     * @param claims executes claim operations upstream
     * @param topics watches upstream topics
     */
    public ClusterCoordinator(
            CoordinatorClientConfig config, Optional<LocalCoordinator> own, ClaimExecutor claims, TopicWatcher topics) {
        this.config = config;
        this.claims = claims;
        this.topics = new LeasedTopics(topics);
        NodeSession.Events events = new Heard();
        KnownCluster cluster = new KnownCluster(
                config.cluster(),
                () -> own.map(node -> node.node().cluster().incarnation()).orElse(""));
        this.local = own.map(node -> new LocalSession(config.gatewayId(), node, events));
        this.links = config.nodes().stream()
                .filter(node ->
                        own.isEmpty() || !node.nodeId().equals(own.get().node().nodeId()))
                .map(node -> new NodeLink(node, config, cluster, events, new NodeLink.Threads(timer, loop)))
                .toList();
        local.ifPresent(LocalSession::open);
        links.forEach(NodeLink::open);
        every(TICK_MILLIS, () -> routing.expire(System.nanoTime()));
        every(NUDGE_MILLIS, () -> links.forEach(NodeLink::nudge));
    }

    @Override
    public CompletableFuture<Response> submit(Command command) {
        CompletableFuture<Response> decided = new CompletableFuture<>();
        ask(new Question.Decide(command), answer -> {
            Response response = responseOf(answer);
            if (isLive(response)) {
                owned.add(routing.shardOf(command.groupId()), command.groupId());
            }
            decided.complete(response);
        });
        return decided;
    }

    @Override
    public boolean owns(String groupId) {
        return routing.shards() > 0 && owned.contains(routing.shardOf(groupId), groupId);
    }

    @Override
    public boolean ownershipKnown(String groupId) {
        if (routing.shards() == 0) {
            return false;
        }
        int shard = routing.shardOf(groupId);
        return owned.isToldBy(shard, routing.leaderTerm(shard));
    }

    @Override
    public boolean hasLeader(String groupId) {
        return routing.hasLeader(groupId);
    }

    @Override
    public List<ShardTime> heardTimes() {
        return times.latest();
    }

    @Override
    public CompletableFuture<GroupListings> listGroups() {
        int shards = routing.shards();
        CompletableFuture<GroupListings> all =
                CompletableFuture.completedFuture(new GroupListings(List.of(), shards > 0));
        for (int shard = 0; shard < shards; shard++) {
            CompletableFuture<CoordinatorAnswer> answer = new CompletableFuture<>();
            ask(new Question.ListGroups(shard), answer::complete);
            all = all.thenCombine(answer, ClusterCoordinator::merge);
        }
        return all;
    }

    @Override
    public void topicsTouched(Set<String> names, Set<String> deleted) {
        sessions().forEach(session -> session.topicsTouched(names, deleted));
    }

    @Override
    public void troubles(List<String> lines) {
        troubles = List.copyOf(lines);
        sessions().forEach(session -> session.troubles(lines));
    }

    @Override
    public void close() {
        timer.shutdownNow();
        routing.close();
        local.ifPresent(LocalSession::close);
        links.forEach(NodeLink::close);
        loop.close();
    }

    private List<NodeSession> sessions() {
        List<NodeSession> sessions = new ArrayList<>();
        local.ifPresent(sessions::add);
        links.forEach(link -> link.session().ifPresent(sessions::add));
        return sessions;
    }

    private void every(long intervalMillis, Runnable task) {
        var unused = timer.scheduleWithFixedDelay(task, intervalMillis, intervalMillis, TimeUnit.MILLISECONDS);
    }

    private void ask(Question question, Consumer<CoordinatorAnswer> answer) {
        long now = System.nanoTime();
        routing.submit(new PendingRequest(
                lastNumber.incrementAndGet(),
                question,
                now + config.failoverPatience().toNanos(),
                now + config.answerPatience().toNanos(),
                answer));
    }

    private static Response responseOf(CoordinatorAnswer answer) {
        return answer instanceof CoordinatorAnswer.Decided decided
                ? decided.response()
                : new Response.Refused(GroupError.COORDINATOR_NOT_AVAILABLE, "The node gave no fitting answer.");
    }

    private static boolean isLive(Response response) {
        if (response instanceof Response.ConsumerHeartbeatAnswer consumer) {
            return consumer.memberEpoch() > 0;
        }
        return response instanceof Response.StreamsHeartbeatAnswer streams && streams.memberEpoch() > 0;
    }

    private static GroupListings merge(GroupListings sum, CoordinatorAnswer answer) {
        if (!(answer instanceof CoordinatorAnswer.Listed listed)) {
            return new GroupListings(sum.groups(), false);
        }
        List<GroupSummary> groups = new ArrayList<>(sum.groups());
        groups.addAll(listed.groups());
        return new GroupListings(groups, sum.complete());
    }

    /** What the nodes say. */
    private final class Heard implements NodeSession.Events {
        @Override
        public void opened(NodeSession session, int shards, int maxInFlight) {
            routing.opened(session, shards, maxInFlight);
            session.troubles(troubles);
        }

        @Override
        public void answered(NodeSession session, long number, CoordinatorAnswer answer) {
            routing.answered(session, number, answer);
        }

        @Override
        public void leadership(NodeSession session, ShardLeadership leadership) {
            leadership.time().ifPresent(times::heard);
            routing.leadership(session, leadership);
        }

        @Override
        public void ownedGroups(NodeSession session, OwnedChange change) {
            owned.accept(session, change);
        }

        @Override
        public void claim(NodeSession session, ClaimTask task) {
            long startedNanos = System.nanoTime();
            long patienceNanos = TimeUnit.MILLISECONDS.toNanos(task.patienceMillis());
            claims.start(
                    new ClaimExecutor.Task(task.groupId(), task.operation(), task.marks()),
                    () -> session.hasEnded() || System.nanoTime() - startedNanos > patienceNanos,
                    outcome -> session.claimReported(task.operationId(), outcome));
        }

        @Override
        public void topics(NodeSession session, LeasedWatch watch) {
            topics.leased(session, watch);
        }

        @Override
        public void look(NodeSession session, TopicLook look) {
            topics.look(session, look);
        }

        @Override
        public void ready(NodeSession session) {
            routing.readyAgain(session);
        }

        @Override
        public void ended(NodeSession session) {
            routing.closed(session);
            owned.closed(session);
            topics.closed(session);
        }
    }
}
