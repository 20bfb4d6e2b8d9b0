package io.muster.cluster.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.cluster.kafka.BrokerProxy;
import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import io.muster.cluster.nodes.RpcProxy;
import io.muster.cluster.order.GroupConnection;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A commit is admitted, and its gateway stops before the broker has it. The member is removed, its partition goes to a successor
 * who commits more; then the gateway goes on and the old commit arrives. It mostly waits for sessions to end.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class LateCommitTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String SHORT_SESSIONS = """
            coordinator:
              consumer:
                sessionTimeout: 3s
                minSessionTimeout: 3s
                heartbeatInterval: 500ms
                minHeartbeatInterval: 500ms
            """;

    private final Map<Integer, RpcProxy> toNodes = new ConcurrentHashMap<>();
    private BrokerProxy toBroker;
    private KafkaBrokers brokers;
    private MusterCluster muster;

    /** Where the commit is when its gateway stops. */
    private enum Place {
        ADMITTED_AND_NOT_SENT,
        SENT_AND_NOT_ARRIVED
    }

    @BeforeAll
    void start() {
        KafkaSetup setup = KafkaSetup.withoutModernGroups(KafkaVersion.V4_4).feature("transaction.version", 1);
        brokers = KafkaBrokers.start(setup, port -> {
            toBroker = new BrokerProxy(port);
            return toBroker.port();
        });
        muster = MusterCluster.start(
                brokers,
                SHORT_SESSIONS,
                port -> toNodes.computeIfAbsent(port, RpcProxy::new).port());
    }

    @AfterAll
    void stop() {
        muster.close();
        brokers.close();
        toBroker.close();
        toNodes.values().forEach(RpcProxy::close);
    }

    @ParameterizedTest
    @Execution(ExecutionMode.SAME_THREAD)
    @EnumSource(Place.class)
    void plainCommit_ofAMemberThatWasReplaced_isFenced(Place place) throws ExecutionException, InterruptedException {
        String name = "plain-" + place;
        MusterNode stopped = stoppable();
        try (NumberedTopic topic = new NumberedTopic(brokers.bootstrap(), name, 1);
                Copier zombie = new Copier(gateway(stopped), name, topic.name());
                Copier successor = new Copier(gateway(muster.others(stopped).get(0)), name, topic.name())) {
            // Given
            topic.write(10);
            zombie.join();
            zombie.read(10).get();
            Late late = stopDuring(stopped, name, ApiKeys.OFFSET_COMMIT, place, zombie::commit);

            // When
            topic.write(10);
            successor.join();
            successor.read(20).get();
            successor.commit().get();
            late.goOn();

            // Then
            assertThatThrownBy(late.commit::get).hasCauseInstanceOf(CommitFailedException.class);
            assertThat(successor.committed().get()).isEqualTo(20);
        }
    }

    /** The member itself goes on by another gateway. */
    @ParameterizedTest
    @Execution(ExecutionMode.SAME_THREAD)
    @EnumSource(Place.class)
    void plainCommit_ofAMemberThatWentOnByAnotherGateway_takesNothingBack(Place place)
            throws ExecutionException, InterruptedException {
        String name = "elsewhere-" + place;
        NumberedTopic.create(brokers.bootstrap(), name, 1, 1);
        MusterNode stopped = stoppable();
        try (GroupConnection first = connection(stopped, name)) {
            // Given
            int epoch = first.join("m");
            assertThat(commit(first, epoch, 10)).isEqualTo(Errors.NONE);
            Late late = stopDuring(
                    stopped,
                    name,
                    ApiKeys.OFFSET_COMMIT,
                    place,
                    () -> CompletableFuture.supplyAsync(() -> commit(first, epoch, 20)));

            // When
            try (GroupConnection second = connection(muster.others(stopped).get(0), name)) {
                assertThat(commit(second, epoch, 30)).isEqualTo(Errors.NONE);
                late.goOn();

                // Then its connection ends, so that its client learns nothing wrong either
                assertThatThrownBy(late.commit::get).hasCauseInstanceOf(UncheckedIOException.class);
                assertThat(second.committed()).isEqualTo(30);
            }
        }
    }

    private static GroupConnection connection(MusterNode node, String name) {
        return GroupConnection.open(node.gatewayPort(), name, name, Uuid.ZERO_UUID);
    }

    private static Errors commit(GroupConnection connection, int epoch, long offset) {
        return GroupConnection.errorOf(connection
                .callTogether(connection.commitByName("m", epoch, offset))
                .get(0));
    }

    @ParameterizedTest
    @Execution(ExecutionMode.SAME_THREAD)
    @CsvSource({"ADMITTED_AND_NOT_SENT, 1", "ADMITTED_AND_NOT_SENT, 2", "SENT_AND_NOT_ARRIVED, 2"})
    void transactionalCommit_ofAMemberThatWasReplaced_isFenced(Place place, short transactionVersion)
            throws ExecutionException, InterruptedException {
        String name = "transactional-" + place + "-" + transactionVersion;
        String out = name + "-out";
        upgradeTransactions(transactionVersion);
        MusterNode stopped = stoppable();
        NumberedTopic.create(brokers.bootstrap(), out, 1, 1);
        try (NumberedTopic topic = new NumberedTopic(brokers.bootstrap(), name, 1);
                Copier zombie = new Copier(gateway(stopped), name, topic.name());
                Copier successor = new Copier(gateway(muster.others(stopped).get(0)), name, topic.name())) {
            // Given
            topic.write(10);
            zombie.join();
            zombie.read(10).get();
            Late late =
                    stopDuring(stopped, name, ApiKeys.TXN_OFFSET_COMMIT, place, () -> zombie.copyInTransaction(out));

            // When
            topic.write(10);
            successor.join();
            successor.read(20).get();
            successor.copyInTransaction(out).get();
            late.goOn();

            // Then
            assertThatThrownBy(late.commit::get).hasCauseInstanceOf(CommitFailedException.class);
            assertThat(successor.committed().get()).isEqualTo(20);
            assertThat(Copier.output(brokers.bootstrap(), out)).isEqualTo(topic.eachOnce());
        }
    }

    /** A commit that nobody knows the outcome of, and how its gateway and then itself go on. */
    private record Late(Future<?> commit, GoingOn gateway) {
        void goOn() throws InterruptedException {
            gateway.goOn();
        }
    }

    private interface GoingOn {
        void goOn() throws InterruptedException;
    }

    private Late stopDuring(MusterNode stopped, String group, ApiKeys api, Place place, Supplier<Future<?>> commit)
            throws InterruptedException {
        return switch (place) {
            case ADMITTED_AND_NOT_SENT -> stopBeforeSending(stopped, group, api, commit);
            case SENT_AND_NOT_ARRIVED -> stopAfterSending(stopped, api, commit);
        };
    }

    private Late stopBeforeSending(MusterNode stopped, String group, ApiKeys api, Supplier<Future<?>> commit)
            throws InterruptedException {
        MusterNode leader = muster.awaitLeader(muster.nodes());
        RpcProxy.Hold hold = toNodes.get(leader.rpcPort()).holdAdmission(group);
        Future<?> late = commit.get();
        hold.awaitAdmitted(LIMIT);
        stopped.pause();
        hold.release();
        return new Late(late, () -> {
            BrokerProxy.Barrier sent = toBroker.hold(api);
            stopped.resume();
            sent.awaitReached(LIMIT);
            sent.lift();
        });
    }

    private Late stopAfterSending(MusterNode stopped, ApiKeys api, Supplier<Future<?>> commit)
            throws InterruptedException {
        BrokerProxy.Barrier sent = toBroker.hold(api);
        Future<?> late = commit.get();
        sent.awaitReached(LIMIT);
        stopped.pause();
        return new Late(late, () -> {
            stopped.resume();
            sent.lift();
        });
    }

    /** The last follower: a fence is first asked of another's gateway, so that none waits for the one that stops. */
    private MusterNode stoppable() {
        List<MusterNode> followers = muster.others(muster.awaitLeader(muster.nodes()));
        return followers.get(followers.size() - 1);
    }

    private void upgradeTransactions(short version) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers.bootstrap()))) {
            admin.updateFeatures(
                            Map.of(
                                    "transaction.version",
                                    new FeatureUpdate(version, FeatureUpdate.UpgradeType.UPGRADE)),
                            new UpdateFeaturesOptions())
                    .all()
                    .get();
        }
    }

    private static String gateway(MusterNode node) {
        return "127.0.0.1:" + node.gatewayPort();
    }
}
