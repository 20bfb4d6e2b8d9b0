package io.muster.cluster.clients;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads a topic once, from its beginning to where committed records end. */
final class TopicReading {
    private static final Duration POLL = Duration.ofMillis(100);

    private TopicReading() {}

    /** Hands over every record that no open or aborted transaction hides. */
    static void committed(String bootstrap, String topic, Consumer<ConsumerRecord<String, String>> reader) {
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Patience.shortened(Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed")),
                new StringDeserializer(),
                new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(POLL).forEach(reader);
            }
        }
    }
}
