package io.muster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many seeds, each one a life of a shard; see docs/simulation.md. */
final class ShardSimulationTest {
    private static final int SEEDS = 25;

    @TempDir
    private Path directory;

    @Test
    void shard_losesNothing_andRecovers_whateverHappens() {
        Map<String, Integer> seen = new TreeMap<>();

        Seeds.forEach(SEEDS, seed -> {
            Checks checks = ShardLife.live(seed, directory, WeakenedRules.NONE);
            checks.seen().forEach((what, count) -> seen.merge(what, count, Integer::sum));
        });

        System.out.println("simulation: " + seen);
        seen.forEach((what, count) -> assertThat(count).as(what).isPositive());
    }
}
