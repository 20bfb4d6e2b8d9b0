package io.muster.cluster.soak;

import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A group that very many members join at once, over a few connections to every gateway. */
final class Crowd implements AutoCloseable {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);
    private static final Duration SETTLE_LIMIT = Duration.ofMinutes(2);
    private static final int CONNECTIONS = 24;
    private static final int BETWEEN_MILLIS = 50;

    private final MusterCluster muster;
    private final List<CrowdMember> members = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    /** Begins to join. */
    Crowd(MusterCluster muster, String groupId, int size, String topic) {
        this.muster = muster;
        for (int i = 0; i < size; i++) {
            members.add(new CrowdMember(groupId, "member-" + i, topic));
        }
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            int number = connection;
            threads.add(new Thread(() -> heartbeat(number), groupId + "-" + number));
        }
        threads.forEach(Thread::start);
    }

    /** Waits until so many have joined. */
    void awaitJoined(int count) {
        await(
                count + " members",
                () -> members.stream().filter(member -> member.epoch() > 0).count() >= count);
    }

    /** Waits until all are at one epoch and have each of the topic's partitions once. */
    void awaitSettled(int partitions) {
        await("members that have all partitions", () -> {
            List<Integer> owned = members.stream()
                    .flatMap(member -> member.partitions().stream())
                    .toList();
            return members.stream().mapToInt(CrowdMember::epoch).distinct().count() == 1
                    && owned.size() == partitions
                    && owned.stream().distinct().count() == partitions;
        });
    }

    private void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(SETTLE_LIMIT).failFast(this::throwFailure).until(condition);
    }

    private void throwFailure() {
        RuntimeException first = failure.get();
        if (first != null) {
            throw first;
        }
    }

    /** Members that share a connection have their turns on it; when it breaks, they go to the next gateway. */
    private void heartbeat(int first) {
        int attempts = 0;
        try {
            while (over.getCount() > 0) {
                MusterNode node =
                        muster.nodes().get((first + attempts++) % muster.nodes().size());
                try (RawKafka gateway = new RawKafka(node.host(), node.gatewayPort()).waitAtMost(ANSWER_LIMIT)) {
                    heartbeat(first, gateway);
                } catch (UncheckedIOException e) {
                    rest();
                }
            }
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void heartbeat(int first, RawKafka gateway) throws InterruptedException {
        while (over.getCount() > 0) {
            for (int i = first; i < members.size(); i += CONNECTIONS) {
                members.get(i).heartbeat(gateway);
            }
            rest();
        }
    }

    private void rest() throws InterruptedException {
        var unused = over.await(BETWEEN_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Ends the members without a leave: their sessions expire. */
    @Override
    public void close() {
        over.countDown();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
