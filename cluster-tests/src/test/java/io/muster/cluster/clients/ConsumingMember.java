package io.muster.cluster.clients;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** One ordinary consumer on a thread of its own, which commits after every poll. */
public final class ConsumingMember implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<String, String> consumer;
    private final ConcurrentMap<String, Integer> seen;
    private final AtomicInteger timesLost = new AtomicInteger();
    private final AtomicInteger timesLate = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Thread thread;
    private volatile @Nullable Throwable failure;
    private volatile int partitions;

    /**
     * Begins to consume.
     *
     * @param seen counts how often each record came
     */
    public ConsumingMember(String bootstrap, String group, String topic, ConcurrentMap<String, Integer> seen) {
        this(Map.of("bootstrap.servers", bootstrap), group, topic, seen);
    }

    /**
     * Begins to consume.
     *
     * @param client how it finds the brokers and says who it is
     */
    ConsumingMember(Map<String, String> client, String group, String topic, ConcurrentMap<String, Integer> seen) {
        this.seen = seen;
        Map<String, Object> config = new HashMap<>(client);
        config.put("group.id", group);
        config.put("group.protocol", "consumer");
        config.put("auto.offset.reset", "earliest");
        config.put("enable.auto.commit", "false");
        this.consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
        this.thread = new Thread(() -> consume(topic), "consumer-" + group);
        thread.start();
    }

    /** How often the coordinator told it that it is no member any more. */
    public int timesLost() {
        return timesLost.get();
    }

    /** How many commits were not answered in time; the next one makes up for them. */
    int timesLate() {
        return timesLate.get();
    }

    public int partitions() {
        return partitions;
    }

    /** What ended it before it was closed; null while it is well. */
    public @Nullable Throwable failure() {
        return failure;
    }

    private void consume(String topic) {
        try (consumer) {
            consumer.subscribe(List.of(topic), new Losses());
            while (!closing.get()) {
                consumer.poll(POLL).forEach(record -> seen.merge(record.value(), 1, Integer::sum));
                commit();
                partitions = consumer.assignment().size();
            }
        } catch (WakeupException closed) {
            if (!closing.get()) {
                failure = closed;
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void commit() {
        try {
            consumer.commitSync();
        } catch (TimeoutException e) {
            timesLate.incrementAndGet();
        }
    }

    @Override
    public void close() {
        closing.set(true);
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Losses implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {}

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {}

        @Override
        public void onPartitionsLost(Collection<TopicPartition> lost) {
            timesLost.incrementAndGet();
        }
    }
}
