package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.storage.ShardStore;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Thousands of seeds, each one a life of a shard. {@code -Dmuster.simulation.seed=N} replays one, {@code
 * -Dmuster.simulation.seeds=N} sets how many are run.
 */
final class ShardSimulationTest {
    private static final int LEADER_SEEDS = Integer.getInteger("muster.simulation.seeds", 1_000);
    private static final int WRITER_SEEDS = Integer.getInteger("muster.simulation.seeds", 2_000);
    private static final long MEMBERS_LIVE_MILLIS = 90_000;
    /** Longer than a client is silent, its session and its rebalance take. */
    private static final long CALM_MILLIS = 240_000;

    private static final long WRITERS_LIVE_MILLIS = 20_000;

    @Test
    void leaders_loseNoUpdate_keepOneOwner_andRecover_whateverTheNetworkDoes() {
        AtomicInteger applied = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        AtomicInteger deletions = new AtomicInteger();
        AtomicInteger forgotten = new AtomicInteger();

        forEachSeed(LEADER_SEEDS, seed -> {
            Checks checks = liveWithMembers(seed);
            applied.addAndGet(checks.appliedBatches());
            taken.addAndGet(checks.commitsTaken());
            deletions.addAndGet(checks.deletions());
            forgotten.addAndGet(checks.historiesForgotten());
        });

        assertThat(applied).as("the simulation changes groups").hasPositiveValue();
        assertThat(taken).as("the simulation commits").hasPositiveValue();
        assertThat(deletions).as("the simulation deletes groups").hasPositiveValue();
        assertThat(forgotten).as("the simulation forgets histories").hasPositiveValue();
    }

    @Test
    void guard_holdsForPipelinedProposals_batchesOfOneGroup_andRecreatedGroups() {
        AtomicInteger applied = new AtomicInteger();
        AtomicInteger deletions = new AtomicInteger();

        forEachSeed(WRITER_SEEDS, seed -> {
            ChainChecks checks = liveWithWriters(seed, SimulatedGuard::termAndToken);
            applied.addAndGet(checks.applied());
            deletions.addAndGet(checks.deletions());
        });

        assertThat(applied).hasPositiveValue();
        assertThat(deletions).hasPositiveValue();
    }

    @Test
    void counterGuard_isFoundOut() {
        int found = 0;
        for (long seed = 1; seed <= 300 && found == 0; seed++) {
            try {
                liveWithWriters(seed, store -> SimulatedGuard.counter(store, new HashMap<>()));
            } catch (AssertionError e) {
                assertThat(e).hasMessageContaining("lost update");
                found++;
            }
        }

        assertThat(found)
                .as("seeds that show the lost update of a plain counter")
                .isPositive();
    }

    private static Checks liveWithMembers(long seed) {
        VirtualTime time = new VirtualTime(seed);
        Checks checks = new Checks();
        SimulatedCluster cluster = new SimulatedCluster(time, checks, SimulatedGuard::termAndToken);
        checks.upstream(cluster.upstream());
        List<String> topics = SimulatedTopics.NAMES;
        for (int i = 0; i < 4; i++) {
            String groupId = "group-" + i % 2;
            new SimulatedMember(
                    groupId, "member-" + i, time, cluster, checks, i % 3 == 0 ? topics.subList(0, 1) : topics);
        }
        for (int i = 0; i < 2; i++) {
            new SimulatedStreamsMember("streams", "client-" + i, time, cluster, checks);
        }
        new SimulatedOperator(time, cluster, "group-1", List.of("member-1", "member-3"));
        new SimulatedOperator(time, cluster, "streams", List.of("client-0", "client-1"));
        time.run(MEMBERS_LIVE_MILLIS);
        if (seed % 4 == 0) {
            recover(time, cluster, checks);
        }
        cluster.settle();
        return checks;
    }

    private static void recover(VirtualTime time, SimulatedCluster cluster, Checks checks) {
        List<String> topics = SimulatedTopics.NAMES;
        time.calmDown();
        time.run(CALM_MILLIS);
        cluster.settle();
        checks.restored(cluster.leaderNode().group("group-0"), 2, SimulatedTopics.partitionsOf(topics));
        checks.restored(cluster.leaderNode().group("group-1"), 2, SimulatedTopics.partitionsOf(topics));
        checks.restored(cluster.leaderNode().group("streams"), 2, SimulatedTopics.partitionsOf(topics.subList(0, 1)));
    }

    private static ChainChecks liveWithWriters(long seed, Function<ShardStore, SimulatedGuard> guard) {
        VirtualTime time = new VirtualTime(seed);
        ChainChecks checks = new ChainChecks();
        SimulatedCluster cluster = new SimulatedCluster(time, checks, guard);
        AtomicInteger stamps = new AtomicInteger();
        for (int node = 0; node < SimulatedCluster.NODES; node++) {
            new PipeliningWriter(node, time, cluster, stamps);
        }
        time.run(WRITERS_LIVE_MILLIS);
        cluster.settle();
        return checks;
    }

    /** Runs the seeds and names the one that fails. */
    private static void forEachSeed(int count, java.util.function.LongConsumer life) {
        Long only = Long.getLong("muster.simulation.seed");
        for (long seed = only == null ? 1 : only; seed <= (only == null ? count : only); seed++) {
            try {
                life.accept(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + " fails; replay it with -Dmuster.simulation.seed=" + seed, e);
            }
        }
    }
}
