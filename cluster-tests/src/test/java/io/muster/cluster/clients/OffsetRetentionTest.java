package io.muster.cluster.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.nodes.MusterCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Brokers that keep offsets for one minute: those of groups that live stay, and go when the group is gone. It mostly waits. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class OffsetRetentionTest {
    private static final ListConsumerGroupOffsetsOptions STABLE =
            new ListConsumerGroupOffsetsOptions().requireStable(true);
    private static final Duration RETENTION_LIMIT = Duration.ofSeconds(150);
    private static final KafkaSetup ONE_MINUTE = KafkaSetup.withoutModernGroups(KafkaVersion.V4_4)
            .property("offsets.retention.minutes", "1")
            .property("offsets.retention.check.interval.ms", "1000");
    private static final String SHORT_CLAIMS = """
            coordinator:
              emptyGroupRelease: 2s
              emptyGroupLook: 1s
            """;
    private static final String UNCLAIMED = "unclaimed";
    private static final List<String> LIVE = List.of("idle", "taken-over", "exactly-once");

    private KafkaBrokers brokers;
    private MusterCluster muster;
    private Admin admin;

    @BeforeAll
    void start() {
        brokers = KafkaBrokers.start(ONE_MINUTE);
        muster = MusterCluster.startOne(brokers, SHORT_CLAIMS);
        admin = Admin.create(Map.of("bootstrap.servers", brokers.bootstrap()));
    }

    @AfterAll
    void stop() {
        admin.close();
        muster.close();
        brokers.close();
    }

    @Test
    void offsets_liveAsLongAsTheirGroupAndARetentionMore() throws ExecutionException, InterruptedException {
        NumberedTopic.create(brokers.bootstrap(), "out", 1, 1);
        try (NumberedTopic topic = new NumberedTopic(brokers.bootstrap(), "in", 1);
                NumberedTopic two = new NumberedTopic(brokers.bootstrap(), "two", 2);
                Copier idle = new Copier(muster.bootstrap(), "idle", topic.name());
                Copier takenOver = new Copier(muster.bootstrap(), "taken-over", two.name());
                Copier exactlyOnce = new Copier(muster.bootstrap(), "exactly-once", topic.name())) {
            // Given
            topic.write(10);
            two.write(10);
            useAsClassicGroup("taken-over", two.name());
            for (Copier member : List.of(idle, takenOver, exactlyOnce)) {
                member.join();
                member.read(1).get();
            }
            idle.commit().get();
            takenOver.commit().get();
            exactlyOnce.copyInTransaction("out").get();
            Map<String, Map<TopicPartition, Long>> before = offsets();

            // When
            admin.alterConsumerGroupOffsets(UNCLAIMED, Map.of(partition("in", 0), new OffsetAndMetadata(3)))
                    .all()
                    .get();
            awaitExpiry(UNCLAIMED, () -> takenOver.commit().get());

            // Then
            assertThat(before.get("taken-over")).containsKeys(partition("two", 0), partition("two", 1));
            assertThat(offsets())
                    .isEqualTo(before)
                    .allSatisfy((group, offsets) -> assertThat(offsets).isNotEmpty());
        }

        // And, once the members are gone
        for (String group : LIVE) {
            awaitExpiry(group, () -> null);
        }
        try (Admin throughMuster = Admin.create(Map.of("bootstrap.servers", muster.bootstrap()))) {
            Awaitility.await("end of the groups")
                    .atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> throughMuster.listGroups().all().get().isEmpty());
        }
    }

    /** A classic consumer that commits every partition of the topic and leaves. */
    private void useAsClassicGroup(String group, String topic) {
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        muster.bootstrap(),
                        "group.id",
                        group,
                        "group.protocol",
                        "classic",
                        "enable.auto.commit",
                        "false"),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                consumer.poll(Duration.ofMillis(200));
                return consumer.assignment().size() == 2;
            });
            consumer.commitSync(consumer.assignment().stream()
                    .collect(Collectors.toMap(partition -> partition, partition -> new OffsetAndMetadata(1))));
        }
    }

    private interface Meanwhile {
        Object run() throws ExecutionException, InterruptedException;
    }

    private void awaitExpiry(String group, Meanwhile meanwhile) {
        Awaitility.await("expiry of " + group)
                .atMost(RETENTION_LIMIT)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    var unused = meanwhile.run();
                    return offsets(group).isEmpty();
                });
    }

    private Map<String, Map<TopicPartition, Long>> offsets() throws ExecutionException, InterruptedException {
        Map<String, Map<TopicPartition, Long>> all = new TreeMap<>();
        for (String group : LIVE) {
            all.put(group, offsets(group));
        }
        return all;
    }

    private Map<TopicPartition, Long> offsets(String group) throws ExecutionException, InterruptedException {
        // A transaction that was ended may still be pending: the broker writes its markers afterwards.
        return admin.listConsumerGroupOffsets(group, STABLE).partitionsToOffsetAndMetadata().get().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }

    private static TopicPartition partition(String topic, int number) {
        return new TopicPartition(topic, number);
    }
}
