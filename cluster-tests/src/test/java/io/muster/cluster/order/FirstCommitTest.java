package io.muster.cluster.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.nodes.MusterCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The first consumer of a group reads, commits and closes before the group is claimed: the brokers answer a first join only after
 * their initial rebalance delay, which is here longer than the coordinator lets a request wait.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class FirstCommitTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String TOPIC = "first-commits";

    private KafkaBrokers brokers;
    private MusterCluster muster;
    private Admin admin;

    /** How a consumer commits before it closes. */
    private enum Way {
        SYNC,
        ASYNC,
        BY_CLOSING;

        void commit(KafkaConsumer<String, String> consumer) {
            switch (this) {
                case SYNC -> consumer.commitSync();
                case ASYNC -> consumer.commitAsync();
                case BY_CLOSING -> {}
            }
        }
    }

    @BeforeAll
    void start() throws ExecutionException, InterruptedException {
        brokers = KafkaBrokers.start(
                KafkaSetup.withoutModernGroups(KafkaVersion.V4_4).property("group.initial.rebalance.delay.ms", "4000"));
        muster = MusterCluster.startOne(brokers);
        admin = Admin.create(Map.of("bootstrap.servers", brokers.bootstrap()));
        admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers.bootstrap()), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(TOPIC, "a record")).get();
        }
    }

    @AfterAll
    void stop() {
        admin.close();
        muster.close();
        brokers.close();
    }

    @ParameterizedTest
    @EnumSource
    void commit_ofANewGroupsOnlyConsumer_isStoredThoughItClosesAtOnce(Way way)
            throws ExecutionException, InterruptedException {
        // When
        String group = "first-commits-" + way;
        try (KafkaConsumer<String, String> consumer = consumer(group, way == Way.BY_CLOSING)) {
            consumer.subscribe(List.of(TOPIC));
            Awaitility.await()
                    .atMost(LIMIT)
                    .until(() -> !consumer.poll(Duration.ofMillis(50)).isEmpty());
            way.commit(consumer);
        }

        // Then
        var offset = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(new TopicPartition(TOPIC, 0));
        assertThat(offset).isNotNull();
        assertThat(offset.offset()).isEqualTo(1);
    }

    private KafkaConsumer<String, String> consumer(String group, boolean autoCommit) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        muster.bootstrap(),
                        "group.id",
                        group,
                        "group.protocol",
                        "consumer",
                        "auto.offset.reset",
                        "earliest",
                        "enable.auto.commit",
                        autoCommit),
                new StringDeserializer(),
                new StringDeserializer());
    }
}
