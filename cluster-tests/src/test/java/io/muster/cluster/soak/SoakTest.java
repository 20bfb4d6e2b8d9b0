package io.muster.cluster.soak;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.nodes.MusterCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random faults for {@code soak.minutes} (10), drawn from {@code soak.seed}; {@code soak.faults} may name those that are drawn, separated
 * by commas. Consumers, Streams applications and raw members work all
 * the while; after each round of faults all must be well again within a bound. The logs of the nodes and brokers stay in
 * {@code target}.
 */
@Tag("soak")
class SoakTest {
    private static final Logger LOG = LoggerFactory.getLogger(SoakTest.class);

    /** What group configs may say. */
    private static final String SHORT_SESSIONS = """
            coordinator:
              consumer:
                minSessionTimeout: 6s
            """;

    @TempDir
    static Path stateDir;

    @Test
    void randomFaults_nothingIsLostAndNobodyIsFenced() throws Exception {
        long seed = Long.getLong("soak.seed", new Random().nextInt());
        Duration length = Duration.ofMinutes(Long.getLong("soak.minutes", 10));
        say("soak of " + length + " with seed " + seed);
        try (Machines machines = Machines.prepare();
                KafkaBrokers brokers = KafkaBrokers.start(
                        KafkaSetup.withoutModernGroups(KafkaVersion.V4_4).at(machines.brokersAddress()));
                MusterCluster muster = MusterCluster.start(brokers, SHORT_SESSIONS, machines.hosts());
                SoakWorkload workload = new SoakWorkload(brokers, muster, new Random(seed), stateDir)) {
            new Soak(seed, machines, brokers, muster, workload).run(length);
        }
    }

    /** A soak's parts. */
    private record Soak(
            long seed, Machines machines, KafkaBrokers brokers, MusterCluster muster, SoakWorkload workload) {
        void run(Duration length) {
            Random random = new Random(seed);
            Instant end = Instant.now().plus(length);
            Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
            int rounds = 0;
            while (Instant.now().isBefore(end)) {
                rounds++;
                String where = "round " + rounds + " of seed " + seed;
                say(where);
                SoakRound round = new SoakRound(new Scene(machines, muster, brokers, random), workload, random);
                try {
                    play(round);
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError(where + ": " + round.happened(), e);
                }
                round.happened().forEach(fault -> counts.merge(fault, 1, Integer::sum));
            }
            int total = counts.values().stream().mapToInt(Integer::intValue).sum();
            say("soak passed with seed %d: %d faults in %d rounds %s, %s"
                    .formatted(seed, total, rounds, counts, workload.summary()));
        }

        private void play(SoakRound round) {
            workload.goOn();
            round.strike();
            round.setRight();
            Instant right = Instant.now();
            workload.awaitWell();
            say("  well again after " + Duration.between(right, Instant.now()).toMillis() + " ms");
        }
    }

    static void say(String line) {
        LOG.warn(line);
    }
}
