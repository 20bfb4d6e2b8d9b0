package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many seeds, each one a life of a shard; see docs/simulation.md. */
final class ShardSimulationTest {
    private static final int SEEDS = 25;

    /** What happens in one life of ten to fifteen, and so may be missing from a short run by chance. */
    private static final String RARE = "answers on the lease of a deposed leader";

    private static final int LIVES_WITH_ALL = 200;

    @TempDir
    private Path directory;

    @Test
    void shard_losesNothing_andRecovers_whateverHappens() {
        Map<String, Integer> seen = new TreeMap<>();
        AtomicInteger lives = new AtomicInteger();

        Seeds.forEach(SEEDS, seed -> {
            Checks checks = ShardLife.live(seed, directory, WeakenedRules.NONE);
            lives.incrementAndGet();
            checks.seen().forEach((what, count) -> seen.merge(what, count, Integer::sum));
        });

        System.out.println("simulation: " + seen);
        if (lives.get() < LIVES_WITH_ALL) {
            seen.remove(RARE);
        }
        seen.forEach((what, count) -> assertThat(count).as(what).isPositive());
    }
}
