package io.muster.cluster.clients;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.jspecify.annotations.Nullable;

/**
 * An ordinary Streams application that counts every key behind a repartition: each number of its input comes out once, with the
 * count 1, unless something was lost or, which only exactly once forbids, processed twice.
 */
public final class CopyApplication implements AutoCloseable {
    /** As with plain producers: all nodes may be away for longer than the ten seconds of a Streams application. */
    private static final int TRANSACTION_TIMEOUT_MILLIS = 60_000;

    /** What exactly once has by default. */
    private static final int COMMIT_INTERVAL_MILLIS = 100;

    private final KafkaStreams streams;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** Copies exactly once. */
    CopyApplication(String bootstrap, String group, String from, String to, int replicas, Path stateDir) {
        this(bootstrap, new Copy(group, from, to, replicas, StreamsConfig.EXACTLY_ONCE_V2), stateDir);
    }

    /**
     * What it does.
     *
     * @param replicas how often its internal topics are kept
     * @param guarantee the {@code processing.guarantee}
     */
    public record Copy(String group, String from, String to, int replicas, String guarantee) {}

    public CopyApplication(String bootstrap, Copy copy, Path stateDir) {
        Properties config = config(bootstrap, copy.group(), stateDir);
        config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, copy.replicas());
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, copy.guarantee());
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_INTERVAL_MILLIS);
        this.streams = new KafkaStreams(topology(copy.from(), copy.to()), config);
        streams.setUncaughtExceptionHandler(thrown -> {
            failure.compareAndSet(null, thrown);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.start();
    }

    private static Topology topology(String from, String to) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.<String, String>stream(from)
                .groupBy((key, value) -> value, Grouped.as("by-value"))
                .count(Materialized.as("counts"))
                .toStream()
                .mapValues(count -> count.toString())
                .to(to);
        return builder.build();
    }

    private static Properties config(String bootstrap, String group, Path stateDir) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, group);
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        config.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "streams");
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
        config.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
        config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        config.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
        config.put(StreamsConfig.producerPrefix("transaction.timeout.ms"), TRANSACTION_TIMEOUT_MILLIS);
        return config;
    }

    public boolean isRunning() {
        return streams.state() == KafkaStreams.State.RUNNING;
    }

    public @Nullable Throwable failure() {
        return failure.get();
    }

    /** Every key of the output, with how often it was processed: the sum of the committed counts. */
    public static Map<String, Integer> output(String brokers, String topic) {
        Map<String, Integer> sums = new HashMap<>();
        TopicReading.committed(
                brokers, topic, record -> sums.merge(record.key(), Integer.parseInt(record.value()), Integer::sum));
        return sums;
    }

    @Override
    public void close() {
        if (!streams.close(Duration.ofSeconds(20))) {
            throw new IllegalStateException("the application did not stop");
        }
    }
}
