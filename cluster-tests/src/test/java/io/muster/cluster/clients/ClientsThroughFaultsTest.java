package io.muster.cluster.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Two consumers and a Streams application work while nodes fail under them; none of them may notice. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class ClientsThroughFaultsTest {
    private static final String CONSUMERS = "readers";
    private static final String STREAMS = "copier";
    private static final int RECORDS = 500;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    @TempDir
    static Path stateDir;

    private final ConcurrentMap<String, Integer> seen = new ConcurrentHashMap<>();
    private MusterCluster muster;
    private NumberedTopic numbers;
    private List<ConsumingMember> consumers;
    private CopyApplication application;
    private GroupView consumersBefore;
    private GroupView streamsBefore;

    @BeforeAll
    void start() throws ExecutionException, InterruptedException {
        String brokers = KAFKA.brokers().bootstrap();
        muster = MusterCluster.start(KAFKA.brokers(), "");
        numbers = new NumberedTopic(brokers, "numbers", 4);
        NumberedTopic.create(brokers, "copies", 4);
        consumers = List.of(consumer(), consumer());
        application = new CopyApplication(muster.bootstrap(), STREAMS, numbers.name(), "copies", stateDir);
        Awaitility.await("two partitions for each consumer, and a running application")
                .atMost(LIMIT)
                .until(() -> consumers.stream().allMatch(each -> each.partitions() == 2) && application.isRunning());
        work();
    }

    @AfterAll
    void stop() {
        consumers.forEach(ConsumingMember::close);
        application.close();
        numbers.close();
        muster.close();
    }

    @Test
    void leaderKilled_noClientNotices() {
        // Given
        remember();
        MusterNode leader = muster.awaitLeader(muster.nodes());

        // When
        leader.kill();
        work();
        leader.restart();

        // Then
        nobodyNoticed();
    }

    @Test
    void leaderPaused_noClientNotices() {
        // Given
        remember();
        MusterNode leader = muster.awaitLeader(muster.nodes());

        // When
        leader.pause();
        numbers.write(RECORDS);
        muster.awaitLeader(muster.others(leader));
        leader.resume();
        work();

        // Then
        nobodyNoticed();
    }

    @Test
    void followerKilledAndWiped_noClientNotices() {
        // Given
        remember();
        MusterNode follower = muster.follower();

        // When
        follower.kill();
        follower.wipe();
        aGroupComesAndGoes("visitors-while-away");
        follower.restart();
        aGroupComesAndGoes("visitors-after-return");
        work();

        // Then
        nobodyNoticed();
    }

    @Test
    void allNodesKilledAndRestarted_noClientNotices() {
        // Given
        remember();

        // When
        muster.nodes().forEach(MusterNode::kill);
        numbers.write(RECORDS);
        muster.launchAll();
        work();

        // Then
        nobodyNoticed();
    }

    @Test
    void kafkaTools_listAndDescribeTheGroups() {
        String gateways = muster.bootstrap();

        // Then
        assertThat(KafkaTool.CONSUMER_GROUPS.run(stateDir, gateways, "--list")).contains(CONSUMERS);
        assertThat(KafkaTool.CONSUMER_GROUPS.run(stateDir, gateways, "--describe", "--group", CONSUMERS))
                .contains(numbers.name());
        assertThat(KafkaTool.STREAMS_GROUPS.run(stateDir, gateways, "--list")).contains(STREAMS);
        assertThat(KafkaTool.STREAMS_GROUPS.run(stateDir, gateways, "--describe", "--group", STREAMS))
                .contains(STREAMS, numbers.name());
    }

    private ConsumingMember consumer() {
        return new ConsumingMember(muster.bootstrap(), CONSUMERS, numbers.name(), seen);
    }

    /** Something for the log: the groups of the test are silent there. */
    private void aGroupComesAndGoes(String group) {
        ConcurrentMap<String, Integer> read = new ConcurrentHashMap<>();
        try (ConsumingMember visitor = new ConsumingMember(muster.bootstrap(), group, numbers.name(), read)) {
            Awaitility.await(group + " has read everything")
                    .atMost(LIMIT)
                    .until(() -> read.keySet().equals(numbers.eachOnce().keySet()));
            assertThat(visitor.failure()).isNull();
        }
    }

    /** More records, and all of them processed: by the consumers at least once, by the application exactly once. */
    private void work() {
        numbers.write(RECORDS);
        Map<String, Integer> expected = numbers.eachOnce();
        Awaitility.await("every record consumed")
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> seen.keySet().equals(expected.keySet()));
        Awaitility.await("every record copied")
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(
                        () -> assertThat(CopyApplication.output(KAFKA.brokers().bootstrap(), "copies"))
                                .isEqualTo(expected));
    }

    private void remember() {
        consumersBefore = view(CONSUMERS);
        streamsBefore = view(STREAMS);
    }

    private void nobodyNoticed() {
        assertThat(consumers).allSatisfy(each -> {
            assertThat(each.failure()).isNull();
            assertThat(each.timesLost()).isZero();
        });
        assertThat(application.failure()).isNull();
        assertThat(view(CONSUMERS)).isEqualTo(consumersBefore);
        assertThat(view(STREAMS)).isEqualTo(streamsBefore);
        muster.awaitEqualStores();
    }

    private GroupView view(String group) {
        return Awaitility.await(group + " is stable")
                .atMost(LIMIT)
                .ignoreException(StatusRuntimeException.class)
                .until(
                        () -> GroupView.of(muster.nodes().get(0), group),
                        view -> view.state().equalsIgnoreCase("stable"));
    }
}
