package io.muster.cluster.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.codec.proto.Values.HistoryEntry;
import io.muster.rpc.proto.AdminWire.GroupRequest;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ordinary consumers that name their rack read from brokers of that rack, on a cluster whose brokers are in different ones. */
class RackAwareTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String TOPIC = "racks";
    private static final Map<Integer, List<Integer>> REPLICAS =
            Map.of(0, List.of(0), 1, List.of(1), 2, List.of(0), 3, List.of(1));

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(
            KafkaSetup.withoutModernGroups(KafkaVersion.V4_4).brokers(2).property("broker.rack", "rack-{id}"));

    @Test
    void consumers_thatNameTheirRack_readFromIt_andHearOfReplicasThatMove()
            throws ExecutionException, InterruptedException {
        try (MusterCluster muster = MusterCluster.startOne(KAFKA.brokers());
                Admin admin =
                        Admin.create(Map.of("bootstrap.servers", KAFKA.brokers().bootstrap()));
                KafkaConsumer<String, String> first = consumer(muster, "rack-0");
                KafkaConsumer<String, String> second = consumer(muster, "rack-1")) {
            // Given
            admin.createTopics(List.of(new NewTopic(TOPIC, REPLICAS))).all().get();
            first.subscribe(List.of(TOPIC));
            awaitPartitions(List.of(first), List.of(Set.of(0, 1, 2, 3)));

            // When a second one joins, each gets what is near
            second.subscribe(List.of(TOPIC));
            awaitPartitions(List.of(first, second), List.of(Set.of(0, 2), Set.of(1, 3)));

            // When a replica moves to another rack, the epoch rises
            int epoch = GroupView.of(muster.nodes().get(0), "racks").epoch();
            admin.alterPartitionReassignments(
                            Map.of(new TopicPartition(TOPIC, 0), Optional.of(new NewPartitionReassignment(List.of(1)))))
                    .all()
                    .get();
            Awaitility.await("the group hears of the replica's rack")
                    .atMost(LIMIT)
                    .until(() -> {
                        poll(List.of(first, second));
                        return GroupView.of(muster.nodes().get(0), "racks").epoch() > epoch;
                    });
            assertThat(partitions(first)).isEqualTo(Set.of(0, 2));

            // When the second leaves; the history says all that
            String firstId = first.groupMetadata().memberId();
            String secondId = second.groupMetadata().memberId();
            second.unsubscribe();
            awaitPartitions(List.of(first), List.of(Set.of(0, 1, 2, 3)));
            List<HistoryEntry> history = muster.nodes()
                    .get(0)
                    .admin()
                    .groupHistory(GroupRequest.newBuilder().setGroupId("racks").build())
                    .getEntriesList();
            assertThat(history)
                    .extracting(HistoryEntry::getReason, HistoryEntry::getMemberId)
                    .startsWith(tuple("JOINED", firstId), tuple("JOINED", secondId))
                    .endsWith(tuple("LEFT", secondId));
            assertThat(history)
                    .extracting(HistoryEntry::getReason, HistoryEntry::getDetail)
                    .contains(tuple("TOPICS_CHANGED", TOPIC + " has replicas in other racks"));
        }
    }

    private static KafkaConsumer<String, String> consumer(MusterCluster muster, String rack) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                muster.bootstrap(),
                "group.id",
                "racks",
                "group.protocol",
                "consumer",
                "client.rack",
                rack);
        return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    private static void awaitPartitions(List<KafkaConsumer<String, String>> consumers, List<Set<Integer>> expected) {
        Awaitility.await("partitions " + expected).atMost(LIMIT).until(() -> {
            poll(consumers);
            return consumers.stream().map(RackAwareTest::partitions).toList().equals(expected);
        });
    }

    private static void poll(List<KafkaConsumer<String, String>> consumers) {
        consumers.forEach(consumer -> consumer.poll(Duration.ofMillis(50)));
    }

    private static Set<Integer> partitions(KafkaConsumer<String, String> consumer) {
        Set<Integer> numbers = new HashSet<>();
        consumer.assignment().forEach(partition -> numbers.add(partition.partition()));
        return numbers;
    }
}
