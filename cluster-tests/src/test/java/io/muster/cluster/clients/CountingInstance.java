package io.muster.cluster.clients;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.jspecify.annotations.Nullable;

/**
 * One instance, with one thread and a state directory of its own, of an ordinary application that counts the keys of its input; it
 * remembers how much its active tasks had to restore before they ran.
 */
final class CountingInstance implements StatefulInstance {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

    /** What all instances of an application have in common. */
    record Application(String bootstrap, String id, String from, String to, String guarantee) {}

    private final KafkaStreams streams;
    private final Map<TopicPartition, Long> restored = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /**
     * @param name its instance id, under which it comes back after a restart
     */
    CountingInstance(Application application, String name, Path stateDir) {
        this.streams = new KafkaStreams(topology(application), config(application, name, stateDir));
        streams.setGlobalStateRestoreListener(new Restores());
        streams.setUncaughtExceptionHandler(thrown -> {
            failure.compareAndSet(null, thrown);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.start();
    }

    private final class Restores implements StateRestoreListener {
        @Override
        public void onRestoreStart(TopicPartition partition, String store, long start, long end) {
            restored.merge(partition, end - start, Math::max);
        }

        @Override
        public void onBatchRestored(TopicPartition partition, String store, long end, long count) {}

        @Override
        public void onRestoreEnd(TopicPartition partition, String store, long total) {}
    }

    private static Topology topology(Application application) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.<String, String>stream(application.from())
                .groupByKey()
                .count(Materialized.as("counts"))
                .toStream()
                .mapValues(count -> count.toString())
                .to(application.to());
        return builder.build();
    }

    private static Properties config(Application application, String name, Path stateDir) {
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, application.id());
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, application.bootstrap());
        config.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "streams");
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, application.guarantee());
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 200);
        config.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.resolve(name).toString());
        config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        config.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
        config.put(StreamsConfig.consumerPrefix("group.instance.id"), name);
        return config;
    }

    @Override
    public Set<Integer> active() {
        return streams.metadataForLocalThreads().stream()
                .flatMap(thread -> thread.activeTasks().stream())
                .map(task -> task.taskId().partition())
                .collect(Collectors.toSet());
    }

    @Override
    public boolean isRunning() {
        return streams.state() == KafkaStreams.State.RUNNING;
    }

    @Override
    public long mostRestored() {
        return restored.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    @Override
    public @Nullable Throwable failure() {
        return failure.get();
    }

    @Override
    public void stopSilently() {
        close(GroupMembershipOperation.REMAIN_IN_GROUP);
    }

    /** Leaves the group for good. */
    @Override
    public void close() {
        close(GroupMembershipOperation.LEAVE_GROUP);
    }

    private void close(GroupMembershipOperation operation) {
        if (!streams.close(CloseOptions.groupMembershipOperation(operation).withTimeout(CLOSE_LIMIT))) {
            throw new IllegalStateException("the instance did not stop");
        }
    }
}
