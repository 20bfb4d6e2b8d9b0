package io.muster.cluster.soak;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the committed offsets of groups at the brokers, again and again: none may ever be lower than before. */
final class OffsetWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OffsetWatch.class);
    private static final Duration BETWEEN = Duration.ofMillis(200);

    private final Admin admin;
    private final List<String> groups;
    private final Violations violations;
    private final Map<String, Map<TopicPartition, Long>> highest = new HashMap<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread = new Thread(this::watch, "offset-watch");

    /** Begins to watch. */
    OffsetWatch(String brokers, List<String> groups, Violations violations) {
        this.admin = Admin.create(
                Map.of("bootstrap.servers", brokers, "request.timeout.ms", "2000", "default.api.timeout.ms", "3000"));
        this.groups = List.copyOf(groups);
        this.violations = violations;
        thread.start();
    }

    private void watch() {
        try {
            while (!over.await(BETWEEN.toMillis(), TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() throws InterruptedException {
        try {
            Map<String, ListConsumerGroupOffsetsSpec> asked = groups.stream()
                    .collect(Collectors.toMap(Function.identity(), group -> new ListConsumerGroupOffsetsSpec()));
            admin.listConsumerGroupOffsets(asked).all().get().forEach(this::compare);
        } catch (ExecutionException brokersAway) {
            LOG.debug("no offsets", brokersAway);
        }
    }

    private void compare(String group, Map<TopicPartition, @Nullable OffsetAndMetadata> offsets) {
        Map<TopicPartition, Long> before = highest.computeIfAbsent(group, name -> new HashMap<>());
        offsets.forEach((partition, committed) -> {
            long now = committed == null ? -1 : committed.offset();
            long was = before.getOrDefault(partition, -1L);
            if (now < was) {
                violations.add("the offset of %s in %s went back from %d to %d".formatted(partition, group, was, now));
            }
            before.put(partition, now);
        });
    }

    @Override
    public void close() {
        over.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        admin.close();
    }
}
