package io.muster.simulation;

import io.muster.raft.DrivenStateMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One life of a shard under a seed: members live while everything goes wrong, then it is calm and all must be well again. */
final class ShardLife {
    private static final long TROUBLED_MILLIS = 90_000;
    /** Longer than a client is silent, its session, its rebalance and whatever upstream does late take. */
    private static final long CALM_MILLIS = 100_000;

    private static final List<String> GROUPS = List.of("consumers-0", "consumers-1", "streams-0", "streams-1");

    private final VirtualTime time;
    private final SimulatedCluster cluster;

    private ShardLife(long seed, Path directory, WeakenedRules rules) {
        this.time = new VirtualTime(seed);
        this.cluster = new SimulatedCluster(time, directory, GROUPS, rules);
    }

    /** Lives one life; returns what was seen. */
    static Checks live(long seed, Path root, WeakenedRules rules) {
        Path directory = root.resolve("seed-" + seed);
        try {
            Files.createDirectories(directory);
            ShardLife life = new ShardLife(seed, directory, rules);
            life.run();
            return life.cluster.checks();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            DrivenStateMachine.wipe(directory);
        }
    }

    private void run() {
        List<String> topics = SimulatedTopics.LASTING;
        List<String> all = List.of(topics.get(0), topics.get(1), SimulatedTopics.PASSING);
        new ConsumerClient("consumers-0", "a", false, cluster, topics);
        new ConsumerClient("consumers-0", "b", false, cluster, topics.subList(0, 1));
        new ConsumerClient("consumers-0", "s", true, cluster, topics);
        new ConsumerClient("consumers-1", "c", false, cluster, all);
        new ConsumerClient("consumers-1", "d", false, cluster, topics);
        new StreamsClient("streams-0", "e", true, cluster);
        new StreamsClient("streams-0", "f", true, cluster);
        new StreamsClient("streams-1", "g", false, cluster);
        new StreamsClient("streams-1", "h", false, cluster);
        new SimulatedOperator(cluster, "consumers-1", List.of("c", "d"));
        new SimulatedOperator(cluster, "streams-1", List.of("g", "h"));
        new LargeRequests(cluster, List.of("consumers-0", "consumers-1"), List.of("streams-0", "streams-1"));
        new Faults(cluster);
        time.run(TROUBLED_MILLIS);
        recover(topics, all);
    }

    private void recover(List<String> topics, List<String> all) {
        time.calmDown();
        time.run(CALM_MILLIS);
        restored("consumers-0", 3, topics);
        restored("consumers-1", 2, all);
        restored("streams-0", 2, topics.subList(0, 1));
        restored("streams-1", 2, topics.subList(0, 1));
        cluster.settled();
    }

    private void restored(String groupId, int members, List<String> topics) {
        ShardProcess leader = cluster.leader().orElseThrow(() -> new AssertionError("nobody leads"));
        cluster.checks()
                .groups()
                .restored(leader.group(groupId), members, cluster.topics().partitionsOf(topics));
    }
}
