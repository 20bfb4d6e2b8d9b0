package io.muster.cluster.clients;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A hand-written application on a topic of one partition that does one step at a time, on a thread of its own. */
final class Copier implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final String bootstrap;
    private final TopicPartition partition;
    private final KafkaConsumer<String, String> consumer;
    private final List<ConsumerRecord<String, String>> records = new ArrayList<>();

    Copier(String bootstrap, String group, String topic) {
        this.bootstrap = bootstrap;
        this.partition = new TopicPartition(topic, 0);
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", bootstrap,
                        "group.id", group,
                        "group.protocol", "consumer",
                        "auto.offset.reset", "earliest",
                        "enable.auto.commit", "false"),
                new StringDeserializer(),
                new StringDeserializer());
    }

    /** Subscribes; the next {@link #read} waits for the partition. */
    void join() {
        consumer.subscribe(List.of(partition.topic()));
    }

    /** Reads until it has that many records. */
    Future<?> read(int count) {
        return thread.submit(() -> {
            while (records.size() < count) {
                consumer.poll(POLL).forEach(records::add);
            }
        });
    }

    /** Commits what it read. */
    Future<?> commit() {
        return thread.submit(() -> consumer.commitSync(offsets()));
    }

    /** Writes what it read to another topic and commits it, all or nothing. */
    Future<?> copyInTransaction(String to) {
        Callable<Boolean> copy = () -> {
            try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                    Map.of(
                            "bootstrap.servers",
                            bootstrap,
                            "transactional.id",
                            UUID.randomUUID().toString()),
                    new StringSerializer(),
                    new StringSerializer())) {
                producer.initTransactions();
                producer.beginTransaction();
                List<Future<RecordMetadata>> sent = new ArrayList<>();
                records.forEach(
                        record -> sent.add(producer.send(new ProducerRecord<>(to, record.key(), record.value()))));
                finish(producer);
                for (Future<RecordMetadata> each : sent) {
                    each.get();
                }
                return true;
            }
        };
        return thread.submit(copy);
    }

    private void finish(KafkaProducer<String, String> producer) {
        try {
            producer.sendOffsetsToTransaction(offsets(), consumer.groupMetadata());
            producer.commitTransaction();
        } catch (KafkaException e) {
            producer.abortTransaction();
            throw e;
        }
    }

    /** The committed offset of the partition. */
    Future<Long> committed() {
        return thread.submit(() -> {
            OffsetAndMetadata committed = consumer.committed(Set.of(partition)).get(partition);
            return committed == null ? -1L : committed.offset();
        });
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets() {
        return Map.of(partition, new OffsetAndMetadata(records.size()));
    }

    /** How often each committed record stands in the topic. */
    static Map<String, Integer> output(String bootstrap, String topic) {
        Map<String, Integer> counts = new HashMap<>();
        TopicReading.committed(bootstrap, topic, record -> counts.merge(record.value(), 1, Integer::sum));
        return counts;
    }

    @Override
    public void close() {
        thread.execute(consumer::close);
        thread.shutdown();
    }
}
