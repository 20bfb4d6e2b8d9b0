package io.muster.cli.quickstart;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads what is committed in a topic from its beginning, without a group. Not thread-safe. */
final class TopicReader<V> implements AutoCloseable {
    private final KafkaConsumer<String, V> consumer;
    private final List<TopicPartition> partitions;

    TopicReader(String bootstrap, String topic, int partitionCount, Deserializer<V> values) {
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false"),
                new StringDeserializer(),
                values);
        this.partitions = IntStream.range(0, partitionCount)
                .mapToObj(number -> new TopicPartition(topic, number))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Hands over what came since the last call, waiting for it at most this long. */
    void poll(Duration patience, BiConsumer<String, V> visitor) {
        ConsumerRecords<String, V> records = consumer.poll(patience);
        records.forEach(record -> visitor.accept(record.key(), record.value()));
    }

    /** Whether everything that is committed in the topic now was handed over. */
    boolean atEnd() {
        return consumer.endOffsets(partitions).entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    @Override
    public void close() {
        consumer.close();
    }
}
