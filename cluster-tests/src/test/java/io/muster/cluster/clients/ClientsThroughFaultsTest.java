package io.muster.cluster.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
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
    private static final int RECORDS = 500;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    @TempDir
    static Path stateDir;

    private MusterCluster muster;
    private Workload workload;

    @BeforeAll
    void start() throws ExecutionException, InterruptedException {
        muster = MusterCluster.start(KAFKA.brokers(), "coordinator: {patternRefresh: 10s}\n");
        workload = Workload.start(KAFKA.brokers(), muster, Workload.Names.of("faults"), stateDir);
    }

    @AfterAll
    void stop() {
        workload.close();
        muster.close();
    }

    @Test
    void leaderKilled_noClientNotices() {
        // Given
        Workload.Groups before = workload.groups();
        MusterNode leader = muster.awaitLeader(muster.nodes());

        // When
        leader.kill();
        workload.write(RECORDS);
        workload.awaitProcessed();
        leader.restart();

        // Then
        workload.assertNobodyNoticed(before);
    }

    @Test
    void leaderPaused_noClientNotices() {
        // Given
        Workload.Groups before = workload.groups();
        MusterNode leader = muster.awaitLeader(muster.nodes());

        // When
        leader.pause();
        workload.write(RECORDS);
        muster.awaitLeader(muster.others(leader));
        leader.resume();
        workload.write(RECORDS);
        workload.awaitProcessed();

        // Then
        workload.assertNobodyNoticed(before);
    }

    @Test
    void followerKilledAndWiped_noClientNotices() {
        // Given
        Workload.Groups before = workload.groups();
        MusterNode follower = muster.follower();

        // When
        follower.kill();
        follower.wipe();
        aGroupComesAndGoes("visitors-while-away");
        follower.restart();
        workload.write(RECORDS);
        workload.awaitProcessed();

        // Then
        workload.assertNobodyNoticed(before);
    }

    @Test
    void allNodesKilledAndRestarted_noClientNotices() {
        // Given
        Workload.Groups before = workload.groups();

        // When
        muster.nodes().forEach(MusterNode::kill);
        workload.write(RECORDS);
        muster.launchAll();
        workload.awaitProcessed();

        // Then
        workload.assertNobodyNoticed(before);
    }

    @Test
    void patternSubscription_getsTopicsAsTheyAppear() throws ExecutionException, InterruptedException {
        // Given
        NumberedTopic.create(muster.bootstrap(), "shelf-1", 2, 1);
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", muster.bootstrap(), "group.id", "shelves", "group.protocol", "consumer"),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.subscribe(new SubscriptionPattern("shelf-.*"));
            awaitTopics(consumer, Set.of("shelf-1"));

            // When
            NumberedTopic.create(KAFKA.brokers().bootstrap(), "shelf-2", 1, 1);
            NumberedTopic.create(KAFKA.brokers().bootstrap(), "bookshelf-3", 1, 1);

            // Then
            awaitTopics(consumer, Set.of("shelf-1", "shelf-2"));
        }
    }

    private static void awaitTopics(KafkaConsumer<?, ?> consumer, Set<String> topics) {
        Awaitility.await().atMost(LIMIT).untilAsserted(() -> {
            consumer.poll(Duration.ofMillis(200));
            assertThat(consumer.assignment())
                    .extracting(TopicPartition::topic)
                    .containsOnly(topics.toArray(String[]::new));
        });
    }

    @Test
    void kafkaTools_listAndDescribeTheGroups() {
        String gateways = muster.bootstrap();
        Workload.Names names = workload.names();

        // Then
        assertThat(KafkaTool.CONSUMER_GROUPS.run(stateDir, gateways, "--list")).contains(names.consumers());
        assertThat(KafkaTool.CONSUMER_GROUPS.run(stateDir, gateways, "--describe", "--group", names.consumers()))
                .contains(names.input());
        assertThat(KafkaTool.STREAMS_GROUPS.run(stateDir, gateways, "--list")).contains(names.streams());
        assertThat(KafkaTool.STREAMS_GROUPS.run(stateDir, gateways, "--describe", "--group", names.streams()))
                .contains(names.streams(), names.input());
    }

    /** Something for the log: the groups of the test are silent there. */
    private void aGroupComesAndGoes(String group) {
        ConcurrentMap<String, Integer> read = new ConcurrentHashMap<>();
        NumberedTopic numbers = workload.numbers();
        try (ConsumingMember visitor = new ConsumingMember(muster.bootstrap(), group, numbers.name(), read)) {
            Awaitility.await(group + " has read everything")
                    .atMost(LIMIT)
                    .until(() -> read.keySet().equals(numbers.eachOnce().keySet()));
            assertThat(visitor.failure()).isNull();
        }
    }
}
