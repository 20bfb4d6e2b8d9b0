package io.muster.gateway.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimMarks;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.Command;
import io.muster.core.GroupCommand;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.core.ShardTime;
import io.muster.core.TopicInfo;
import io.muster.gateway.coordinator.CoordinatorClientConfig.NodeAddress;
import io.muster.rpc.ConnectedGateways;
import io.muster.rpc.CoordinatorService;
import io.muster.rpc.LocalCoordinator;
import io.muster.rpc.LocalShards;
import io.muster.rpc.NodeIdentity;
import io.muster.rpc.RpcServer;
import io.muster.rpc.ShardLeadership;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.GroupSummary;
import io.muster.runtime.TopicReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two nodes and a gateway, over real gRPC or with the first node in the gateway's process; only the shards behind the nodes are the
 * test's own.
 */
abstract class ClusterCoordinatorContract {
    static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LONG_PATIENCE = Duration.ofMinutes(2);
    private static final ClusterIdentity CLUSTER = new ClusterIdentity("test", "", 1, List.of("one", "two"));

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    final ClaimRecorder claims = new ClaimRecorder();
    private final WatcherRecorder watcher = new WatcherRecorder();
    Node one = new Node("one", timer);
    private Node two = new Node("two", timer);
    ClusterCoordinator coordinator = coordinator(Duration.ofSeconds(20));

    @BeforeEach
    void connect() {
        await().atMost(PATIENCE).until(() -> one.gateways.count() == 1 && two.gateways.count() == 1);
    }

    @AfterEach
    void stop() {
        coordinator.close();
        one.server.close();
        two.server.close();
        timer.shutdownNow();
    }

    @Test
    void submit_beforeThereIsALeader_waitsForIt() {
        CompletableFuture<Response> answer = coordinator.submit(new GroupCommand.Delete("g"));
        assertThat(answer).isNotDone();
        assertThat(coordinator.hasLeader("g")).isFalse();

        two.lead(1);

        assertThat(answer).succeedsWithin(PATIENCE).isEqualTo(new Response.Done());
        assertThat(coordinator.hasLeader("g")).isTrue();
        assertThat(two.submitted).containsExactly(new GroupCommand.Delete("g"));
    }

    @Test
    void submit_afterTheLeadershipMoved_goesToTheSuccessor() {
        one.lead(1);
        assertThat(coordinator.submit(new GroupCommand.Delete("a"))).succeedsWithin(PATIENCE);

        one.follow(2, "two");
        two.lead(2);
        two.gateways.ownedAtStart(0, 2, new TreeSet<>(Set.of("b")));
        await().atMost(PATIENCE).until(() -> coordinator.owns("b"));

        assertThat(coordinator.submit(new GroupCommand.Delete("b"))).succeedsWithin(PATIENCE);
        assertThat(two.submitted).containsExactly(new GroupCommand.Delete("b"));
    }

    @Test
    void submit_toANodeThatLeadsNoLonger_andDidNotSaySo_goesToTheSuccessor() {
        // Given
        one.lead(1);
        assertThat(coordinator.submit(new GroupCommand.Delete("a"))).succeedsWithin(PATIENCE);
        one.leadership = new ShardLeadership(0, 2, "two", false);

        // When
        CompletableFuture<Response> answer = coordinator.submit(new GroupCommand.Delete("b"));
        await().atMost(PATIENCE).until(() -> !coordinator.hasLeader("b"));
        two.lead(2);

        // Then
        assertThat(answer).succeedsWithin(PATIENCE).isEqualTo(new Response.Done());
        assertThat(two.submitted).containsExactly(new GroupCommand.Delete("b"));
    }

    @Test
    void submit_whoseAnswerDoesNotCome_isAnsweredAtItsDeadline() {
        // Given
        coordinator.close();
        coordinator = coordinator(Duration.ofSeconds(20), Duration.ofMillis(200));
        one.silent = true;
        one.lead(1);

        // When
        CompletableFuture<Response> answer = coordinator.submit(new GroupCommand.Delete("a"));

        // Then
        assertThat(answer)
                .succeedsWithin(PATIENCE)
                .satisfies(response ->
                        assertThat(((Response.Refused) response).error()).isEqualTo(GroupError.NOT_COORDINATOR));
    }

    @Test
    void troubles_areTheNodes_whileTheGatewayIsConnected() {
        // When
        coordinator.troubles(List.of("no port for broker 3"));

        // Then
        await().atMost(PATIENCE).until(() -> one.gateways.troubles().equals(List.of("gateway: no port for broker 3")));
        await().atMost(PATIENCE).until(() -> two.gateways.troubles().equals(List.of("gateway: no port for broker 3")));
        coordinator.close();
        await().atMost(PATIENCE).until(() -> one.gateways.troubles().isEmpty());
    }

    @Test
    void submit_toALeaderThatIsReplacedSilently_isAnsweredNotCoordinator() {
        one.silent = true;
        one.lead(1);
        CompletableFuture<Response> answer = coordinator.submit(new GroupCommand.Delete("a"));
        await().atMost(PATIENCE).until(() -> !one.submitted.isEmpty());

        two.lead(2);

        assertThat(answer)
                .succeedsWithin(PATIENCE)
                .satisfies(response ->
                        assertThat(((Response.Refused) response).error()).isEqualTo(GroupError.NOT_COORDINATOR));
    }

    @Test
    void submit_withoutALeaderPastItsPatience_isAnsweredNotAvailable() {
        coordinator.close();
        coordinator = coordinator(Duration.ofMillis(100));

        CompletableFuture<Response> answer = coordinator.submit(new GroupCommand.Delete("a"));

        assertThat(answer)
                .succeedsWithin(PATIENCE)
                .satisfies(response -> assertThat(((Response.Refused) response).error())
                        .isEqualTo(GroupError.COORDINATOR_NOT_AVAILABLE));
    }

    @Test
    void submit_thatWaitsForALeader_isRefusedWhenTheGatewayCloses() {
        CompletableFuture<Response> waiting = coordinator.submit(new GroupCommand.Delete("g"));

        coordinator.close();
        CompletableFuture<Response> late = coordinator.submit(new GroupCommand.Delete("g"));

        for (CompletableFuture<Response> answer : List.of(waiting, late)) {
            assertThat(answer)
                    .succeedsWithin(PATIENCE)
                    .satisfies(response -> assertThat(((Response.Refused) response).error())
                            .isEqualTo(GroupError.COORDINATOR_NOT_AVAILABLE));
        }
    }

    @Test
    void submit_moreThanFitsInFlight_keepsTheOrder() {
        // Given a patience that a busy machine does not use up: what is refused after it would be missing below
        coordinator.close();
        coordinator = coordinator(LONG_PATIENCE, LONG_PATIENCE);
        one.lead(1);
        List<CompletableFuture<Response>> answers = IntStream.range(0, 20_000)
                .mapToObj(i -> coordinator.submit(new GroupCommand.Delete("g" + i)))
                .toList();

        answers.forEach(answer -> assertThat(answer).succeedsWithin(LONG_PATIENCE));

        assertThat(one.submitted.stream().map(Command::groupId))
                .containsExactlyElementsOf(
                        IntStream.range(0, 20_000).mapToObj(i -> "g" + i).toList());
    }

    @Test
    void owns_followsTheLeader() {
        one.lead(1);
        one.gateways.ownedAtStart(0, 1, new TreeSet<>(Set.of("a", "b")));
        await().atMost(PATIENCE).until(() -> coordinator.ownershipKnown("a"));
        assertThat(coordinator.owns("a")).isTrue();

        one.gateways.owned(0, 1, "c");
        one.gateways.disowned(0, 1, "a");

        await().atMost(PATIENCE).until(() -> coordinator.owns("c") && !coordinator.owns("a") && coordinator.owns("b"));
    }

    @Test
    void ownershipKnown_isNotBeforeTheSuccessorHasTold() {
        // Given
        one.lead(1);
        one.gateways.ownedAtStart(0, 1, new TreeSet<>(Set.of("a")));
        await().atMost(PATIENCE).until(() -> coordinator.ownershipKnown("b"));

        // When
        one.follow(2, "two");
        two.lead(2);

        // Then
        await().atMost(PATIENCE).until(() -> !coordinator.ownershipKnown("b"));
        assertThat(coordinator.owns("a")).isTrue();

        // When
        two.gateways.ownedAtStart(0, 2, new TreeSet<>(Set.of("a", "b")));

        // Then
        await().atMost(PATIENCE).until(() -> coordinator.ownershipKnown("b") && coordinator.owns("b"));
    }

    @Test
    void heardTimes_areThoseOfTheLeader_howeverLateTheGatewayConnects() {
        // When
        one.lead(3);
        one.gateways.connectionRecorded(new ShardTime(0, 3, 7));

        // Then
        awaitHeard(new ShardTime(0, 3, 7));
        coordinator.close();
        coordinator = coordinator(PATIENCE);
        awaitHeard(new ShardTime(0, 3, 7));
    }

    @Test
    void heardTimes_beginANewTerm_beforeAnyConnectionIsRecorded() {
        // Given
        one.lead(3);
        one.gateways.connectionRecorded(new ShardTime(0, 3, 7));
        awaitHeard(new ShardTime(0, 3, 7));

        // When
        one.follow(4, "two");
        two.lead(4);

        // Then
        awaitHeard(new ShardTime(0, 4, 0));
    }

    private void awaitHeard(ShardTime time) {
        await().atMost(PATIENCE).until(() -> coordinator.heardTimes().equals(List.of(time)));
    }

    @Test
    void claim_isExecutedByTheGatewayAndReported() {
        List<ClaimOutcome> reports = new CopyOnWriteArrayList<>();

        one.gateways.upstreamClaims().start("g", new ClaimOperation.Join(1_000), reports::add);

        ClaimOutcome joined = new ClaimOutcome.Joined(new ClaimIdentity("m", 1), 1_000);
        await().atMost(PATIENCE).until(() -> reports.equals(List.of(new ClaimOutcome.Locked(), joined)));
    }

    @Test
    void claim_withoutAGateway_isUnavailable() {
        coordinator.close();
        await().atMost(PATIENCE).until(() -> one.gateways.count() == 0);
        List<ClaimOutcome> reports = new ArrayList<>();

        one.gateways.upstreamClaims().start("g", new ClaimOperation.Join(1_000), reports::add);

        assertThat(reports).singleElement().isInstanceOf(ClaimOutcome.Unavailable.class);
    }

    @Test
    void topics_areWatchedUnderTheLeaseAndReported() {
        one.lead(1);
        one.gateways.topicWatch(0).watch(Set.of("t"));
        await().atMost(PATIENCE).until(() -> watcher.names.contains(Set.of("t")));
        TopicReport report =
                new TopicReport(List.of(new TopicInfo("t", new java.util.UUID(1, 2), 3)), Set.of("absent"), Set.of());

        watcher.reports.get(0).accept(report);

        await().atMost(PATIENCE).until(() -> one.reports.equals(List.of(report)));
        coordinator.topicsTouched(Set.of("t", "other"), Set.of());
        await().atMost(PATIENCE).until(() -> watcher.looks.equals(List.of(Set.of("t"))));
        assertThat(one.topicsCreated).hasValue(1);
        coordinator.topicsTouched(Set.of("t"), Set.of("t"));
        await().atMost(PATIENCE).until(() -> watcher.looks.size() == 2);
        assertThat(one.topicsCreated).hasValue(1);
    }

    @Test
    void listGroups_askTheLeader() {
        one.lead(1);
        assertThat(coordinator.submit(new GroupCommand.Delete("g"))).succeedsWithin(PATIENCE);

        assertThat(coordinator.listGroups()).succeedsWithin(PATIENCE).satisfies(list -> {
            assertThat(list.complete()).isTrue();
            assertThat(list.groups()).isEqualTo(Node.GROUPS);
        });
    }

    @Test
    void nodeOfAnotherIncarnation_isLeftAlone() {
        // Given
        one.lead(1);
        assertThat(coordinator.submit(new GroupCommand.Delete("a"))).succeedsWithin(PATIENCE);

        // When the other node comes back from another cluster's data
        int port = two.server.port();
        two.server.close();
        two = new Node("two", timer, port, "second");
        two.lead(9);

        // Then
        await().atMost(PATIENCE).until(() -> two.asked.get() > 1);
        assertThat(two.gateways.count()).isZero();
        assertThat(coordinator.submit(new GroupCommand.Delete("b"))).succeedsWithin(PATIENCE);
        assertThat(two.submitted).isEmpty();
    }

    @Test
    void claimOperation_carriesTheMarksOfTheShard() {
        // When
        two.lead(1);
        two.gateways.upstreamClaims().start("g", new ClaimOperation.Join(1_000), outcome -> {});

        // Then
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(claims.tasks)
                        .containsExactly(new ClaimExecutor.Task(
                                "g",
                                new ClaimOperation.Join(1_000),
                                new ClaimMarks("now", List.of("before", "now"), true))));
    }

    ClusterCoordinator coordinator(Duration failoverPatience) {
        return coordinator(failoverPatience, Duration.ofSeconds(20));
    }

    ClusterCoordinator coordinator(Duration failoverPatience, Duration answerPatience) {
        return new ClusterCoordinator(
                new CoordinatorClientConfig(
                        CLUSTER,
                        "gateway",
                        List.of(
                                new NodeAddress("one", "localhost", one.server.port()),
                                new NodeAddress("two", "localhost", two.server.port())),
                        failoverPatience,
                        answerPatience,
                        null),
                own(one),
                claims,
                watcher);
    }

    /** The node that is in the process of the gateway, if any is. */
    abstract Optional<LocalCoordinator> own(Node first);

    static final class Node implements LocalShards {
        private final AtomicInteger topicsCreated = new AtomicInteger();
        private static final List<GroupSummary> GROUPS = List.of(
                new GroupSummary("g", io.muster.core.GroupType.CONSUMER, io.muster.core.GroupState.STABLE, 2, 1));

        private final String id;
        final List<Command> submitted = new CopyOnWriteArrayList<>();
        private final List<TopicReport> reports = new CopyOnWriteArrayList<>();
        final ConnectedGateways gateways;
        final RpcServer server;
        final NodeIdentity identity;
        final List<CompletableFuture<Response>> unanswered = new CopyOnWriteArrayList<>();
        volatile boolean silent;
        private final AtomicInteger asked = new AtomicInteger();
        volatile ShardLeadership leadership = new ShardLeadership(0, 0, "", false);

        Node(String id, ScheduledExecutorService timer) {
            this(id, timer, 0, "first");
        }

        Node(String id, ScheduledExecutorService timer, int port, String incarnation) {
            this.id = id;
            this.gateways = new ConnectedGateways(this, timer);
            this.identity = new NodeIdentity(id, CLUSTER, () -> asked(incarnation), false);
            try {
                this.server = new RpcServer(port, List.of());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            server.add(new CoordinatorService(gateways, this, identity, server.loop()));
            server.setServing(true);
        }

        private String asked(String incarnation) {
            asked.incrementAndGet();
            return incarnation;
        }

        void lead(long term) {
            leadership = new ShardLeadership(0, term, id, true);
            gateways.leadershipChanged(leadership);
        }

        void follow(long term, String leaderId) {
            leadership = new ShardLeadership(0, term, leaderId, false);
            gateways.leadershipChanged(leadership);
        }

        @Override
        public int count() {
            return 1;
        }

        @Override
        public ShardLeadership leadership(int shard) {
            return leadership;
        }

        @Override
        public CompletableFuture<Response> submit(Command command) {
            submitted.add(command);
            if (!silent) {
                return CompletableFuture.completedFuture(new Response.Done());
            }
            CompletableFuture<Response> answer = new CompletableFuture<>();
            unanswered.add(answer);
            return answer;
        }

        @Override
        public CompletableFuture<List<GroupSummary>> listGroups(int shard) {
            return CompletableFuture.completedFuture(GROUPS);
        }

        @Override
        public CompletableFuture<Response> raiseFeatureLevel(int shard, int level) {
            return CompletableFuture.completedFuture(new Response.Done());
        }

        @Override
        public void topicsCreated() {
            topicsCreated.incrementAndGet();
        }

        @Override
        public ClaimMarks claimMarks(int shard) {
            return new ClaimMarks("now", List.of("before", "now"), true);
        }

        @Override
        public void topicsReported(int shard, TopicReport report) {
            reports.add(report);
        }
    }

    static final class ClaimRecorder implements ClaimExecutor {
        private final List<Task> tasks = new CopyOnWriteArrayList<>();
        final List<BooleanSupplier> givenUp = new CopyOnWriteArrayList<>();

        @Override
        public void start(Task task, BooleanSupplier wanted, Consumer<ClaimOutcome> report) {
            tasks.add(task);
            givenUp.add(wanted);
            report.accept(new ClaimOutcome.Locked());
            report.accept(new ClaimOutcome.Joined(new ClaimIdentity("m", 1), 1_000));
        }
    }

    private static final class WatcherRecorder implements TopicWatcher {
        private final List<Set<String>> names = new CopyOnWriteArrayList<>();
        private final List<Set<String>> looks = new CopyOnWriteArrayList<>();
        private final List<Consumer<TopicReport>> reports = new CopyOnWriteArrayList<>();

        @Override
        public void watch(TopicLease lease, Set<String> watched, Consumer<TopicReport> report) {
            names.add(watched);
            reports.add(report);
        }

        @Override
        public void look(TopicLease lease, Set<String> some, Set<String> deleted) {
            looks.add(some);
        }

        @Override
        public void end(TopicLease lease) {}
    }
}
