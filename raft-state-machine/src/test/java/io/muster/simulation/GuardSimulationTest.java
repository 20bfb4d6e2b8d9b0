package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.storage.ShardStore;
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Writers that are bolder than the product's leader against the guard on the log. */
final class GuardSimulationTest {
    private static final int SEEDS = 500;
    private static final long WRITERS_LIVE_MILLIS = 20_000;

    @Test
    void guard_holdsForPipelinedProposals_batchesOfOneGroup_andRecreatedGroups() {
        AtomicInteger applied = new AtomicInteger();
        AtomicInteger deletions = new AtomicInteger();

        Seeds.forEach(SEEDS, seed -> {
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

    private static ChainChecks liveWithWriters(long seed, Function<ShardStore, SimulatedGuard> guard) {
        VirtualTime time = new VirtualTime(seed);
        ChainChecks checks = new ChainChecks();
        GuardCluster cluster = new GuardCluster(time, checks, guard);
        AtomicInteger stamps = new AtomicInteger();
        for (int node = 0; node < GuardCluster.NODES; node++) {
            new PipeliningWriter(node, time, cluster, stamps);
        }
        time.run(WRITERS_LIVE_MILLIS);
        cluster.settle();
        return checks;
    }
}
