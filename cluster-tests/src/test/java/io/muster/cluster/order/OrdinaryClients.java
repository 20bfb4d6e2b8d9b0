package io.muster.cluster.order;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;

/** Kafka's own clients: they make topics of one partition and write records at the brokers, and read in groups through Muster. */
final class OrdinaryClients implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long NO_OFFSET = -1;

    private final String brokers;
    private final String muster;
    private final Admin admin;

    /**
     * @param brokers bootstrap servers of the brokers
     * @param muster bootstrap servers of the gateways
     */
    OrdinaryClients(String brokers, String muster) {
        this.brokers = brokers;
        this.muster = muster;
        this.admin = Admin.create(Map.of("bootstrap.servers", brokers));
    }

    /** Creates a topic of one partition and waits until it is there. */
    Uuid create(String topic) throws ExecutionException, InterruptedException {
        Uuid id = admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1)))
                .topicId(topic)
                .get();
        Awaitility.await()
                .atMost(LIMIT)
                .ignoreException(ExecutionException.class)
                .until(() -> admin.describeTopics(List.of(topic))
                                .allTopicNames()
                                .get()
                                .size()
                        == 1);
        return id;
    }

    /** Writes records, and returns when they are there. */
    void write(String topic, int records) {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers), new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < records; i++) {
                var unused = producer.send(new ProducerRecord<>(topic, "a record"));
            }
        }
    }

    long endOf(String topic) throws ExecutionException, InterruptedException {
        TopicPartition partition = new TopicPartition(topic, 0);
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    /** What the brokers have of the group, -1 if nothing. */
    long committed(String group, String topic) throws ExecutionException, InterruptedException {
        var offset = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(new TopicPartition(topic, 0));
        return offset == null ? NO_OFFSET : offset.offset();
    }

    /** A consumer that has read a record of the topic. */
    KafkaConsumer<String, String> reading(String group, String topic, boolean autoCommit) {
        KafkaConsumer<String, String> consumer = consumer(group, autoCommit);
        consumer.subscribe(List.of(topic));
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> !consumer.poll(Duration.ofMillis(50)).isEmpty());
        return consumer;
    }

    KafkaConsumer<String, String> consumer(String group, boolean autoCommit) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        muster,
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

    @Override
    public void close() {
        admin.close();
    }
}
