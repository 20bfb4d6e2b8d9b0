package io.muster.cluster.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.clients.GroupHistoryView.News;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stateful application with standby copies grows, restarts, has an instance killed and shrinks under {@code highly_available}: no
 * active task comes to an instance that is behind, every record is counted once, and the history says what happened.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class StatefulApplicationTest {
    private static final int PARTITIONS = 4;
    private static final int ACCEPTABLE_LAG = 100;

    /** The member epoch of a static member that left for a while (KIP-1071). */
    private static final int AWAY = -2;

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String SETTINGS = """
            coordinator:
              streams:
                sessionTimeout: 10s
                minSessionTimeout: 10s
                heartbeatInterval: 500ms
                minHeartbeatInterval: 500ms
                initialRebalanceDelay: 0ms
                numStandbyReplicas: 1
                taskOffsetInterval: 1s
                acceptableRecoveryLag: %d
            """.formatted(ACCEPTABLE_LAG);

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    @TempDir
    static Path stateDir;

    private final TreeMap<String, StatefulInstance> instances = new TreeMap<>();
    private MusterCluster muster;

    @BeforeAll
    void start() {
        muster = MusterCluster.start(KAFKA.brokers(), SETTINGS);
    }

    @AfterEach
    void closeInstances() {
        instances.values().forEach(StatefulInstance::close);
        instances.clear();
    }

    @AfterAll
    void stop() {
        muster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once_v2"})
    void activeTasks_throughGrowthRestartsAndLoss_onlyRunWhereStateIs(String guarantee)
            throws ExecutionException, InterruptedException {
        // Given
        String name = "stateful-" + guarantee.replace('_', '-');
        String brokers = KAFKA.brokers().bootstrap();
        CountingInstance.Application application = new CountingInstance.Application(
                muster.bootstrap(), name, name + "-numbers", name + "-counts", guarantee);
        configure(name);
        NumberedTopic.create(brokers, application.to(), PARTITIONS, 1);
        GroupHistoryView history = new GroupHistoryView(muster.nodes().get(0), name);
        try (NumberedTopic numbers = new NumberedTopic(brokers, application.from(), PARTITIONS)) {
            numbers.write(40 * ACCEPTABLE_LAG);
            launch(application, "a");
            awaitSpread(4);
            awaitCounted(application, numbers);

            // When it grows
            launchChild(application, "b");
            awaitSpread(2, 2);
            launch(application, "c");
            awaitSpread(2, 1, 1);
            numbers.write(ACCEPTABLE_LAG);
            awaitCounted(application, numbers);
            News growth = history.next();
            assertThat(growth.causes()).containsExactly("JOINED a", "TOPICS_CHANGED", "JOINED b", "JOINED c");
            assertThat(growth.caughtUp()).contains("b", "c");

            // When it restarts, one instance after the other, nothing moves
            Map<String, Set<Integer>> before = active();
            for (String each : List.of("a", "b", "c")) {
                instance(each).stopSilently();
                awaitAway(name, each);
                relaunch(application, each);
                Awaitility.await(each + " runs again what it ran")
                        .atMost(LIMIT)
                        .until(() -> instance(each).isRunning() && active().equals(before));
            }
            assertThat(history.next()).isEqualTo(new News(List.of(), Set.of()));

            // When an instance is killed
            ((ChildInstance) instance("b")).kill();
            forget("b");
            awaitSpread(2, 2);
            numbers.write(ACCEPTABLE_LAG);
            awaitCounted(application, numbers);
            assertThat(history.next().causes()).containsExactly("SESSION_EXPIRED b");

            // When it comes back to the state that it left on disk
            launchChild(application, "b");
            awaitSpread(2, 1, 1);
            assertThat(history.next().causes()).containsExactly("JOINED b");

            // When it shrinks
            instance("a").close();
            forget("a");
            awaitSpread(2, 2);
            numbers.write(ACCEPTABLE_LAG);
            awaitCounted(application, numbers);
            assertThat(history.next().causes()).containsExactly("LEFT a");
            instance("c").close();
            forget("c");
            instance("b").close();
            forget("b");
        }
    }

    private void configure(String group) throws ExecutionException, InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
        AlterConfigOp assignor = new AlterConfigOp(
                new ConfigEntry("streams.assignor.name", "highly_available"), AlterConfigOp.OpType.SET);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", muster.bootstrap()))) {
            admin.incrementalAlterConfigs(Map.of(resource, List.of(assignor)))
                    .all()
                    .get();
        }
    }

    /** A client that stops does not wait for the answer to its leave; the next one must not overtake it. */
    private void awaitAway(String group, String instance) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", muster.bootstrap()))) {
            Awaitility.await(instance + " is away").atMost(LIMIT).until(() -> isAway(admin, group, instance));
        }
    }

    private static boolean isAway(Admin admin, String group, String instance)
            throws ExecutionException, InterruptedException {
        return admin.describeStreamsGroups(List.of(group)).all().get().get(group).members().stream()
                .filter(member -> member.instanceId().orElse("").startsWith(instance))
                .allMatch(member -> member.memberEpoch() == AWAY);
    }

    private void launch(CountingInstance.Application application, String name) {
        instances.put(name, new CountingInstance(application, name, stateDir.resolve(application.id())));
    }

    /** In a process of its own, so that it can be killed. */
    private void launchChild(CountingInstance.Application application, String name) {
        instances.put(name, new ChildInstance(application, name, stateDir.resolve(application.id())));
    }

    /** Starts an instance again that stopped, in the same kind of process as before. */
    private void relaunch(CountingInstance.Application application, String name) {
        if (instance(name) instanceof ChildInstance) {
            launchChild(application, name);
        } else {
            launch(application, name);
        }
    }

    private StatefulInstance instance(String name) {
        return instances.get(name);
    }

    /** Checks an instance that has stopped. */
    private void forget(String name) {
        check(name, instances.remove(name));
    }

    private static void check(String name, StatefulInstance instance) {
        assertThat(instance.failure()).as(name).isNull();
        assertThat(instance.mostRestored()).as("%s restored", name).isLessThanOrEqualTo(ACCEPTABLE_LAG);
    }

    private Map<String, Set<Integer>> active() {
        Map<String, Set<Integer>> active = new TreeMap<>();
        instances.forEach((name, instance) -> active.put(name, instance.active()));
        return active;
    }

    /** Waits until the running instances have that many active tasks each, in whatever order, and all tasks together. */
    private void awaitSpread(Integer... counts) {
        Awaitility.await("active tasks spread as " + List.of(counts))
                .atMost(LIMIT)
                .until(() -> isSpread(List.of(counts)));
        instances.forEach(StatefulApplicationTest::check);
    }

    private boolean isSpread(List<Integer> counts) {
        Set<Integer> all = new HashSet<>();
        active().values().forEach(all::addAll);
        List<Integer> sizes = active().values().stream()
                .map(Set::size)
                .sorted(Comparator.reverseOrder())
                .toList();
        return all.size() == PARTITIONS && sizes.equals(counts);
    }

    private static void awaitCounted(CountingInstance.Application application, NumberedTopic numbers) {
        Awaitility.await("all numbers are counted")
                .atMost(LIMIT)
                .until(() -> CopyApplication.output(KAFKA.brokers().bootstrap(), application.to())
                        .equals(numbers.eachOnce()));
    }
}
