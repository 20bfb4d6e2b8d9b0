package io.muster.cluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random members of groups do the same before Muster and before a live Kafka 4.4.0, and must be answered alike. System properties:
 * {@code random.seed}, the first seed; {@code random.sequences}, how many seeds from there for each kind of group;
 * {@code random.kinds}, which kinds, separated by commas; {@code random.trace}, whether every step is printed.
 */
class RandomGroupsTest {
    private static final long SEED = Long.getLong("random.seed", 1);
    private static final int SEQUENCES = Integer.getInteger("random.sequences", 20);
    private static final String KINDS = System.getProperty("random.kinds", "CONSUMER,STREAMS");
    private static final int STEPS = 40;
    private static final int AT_A_TIME = 8;

    /** Kafka's look at empty groups every ten minutes would remove those that a sequence is about. */
    private static final KafkaSetup STOCK =
            KafkaSetup.of(KafkaVersion.V4_4).property("offsets.retention.check.interval.ms", "3600000");

    @RegisterExtension
    static final SharedKafka UPSTREAM = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    private static KafkaBrokers kafka;
    private static MusterCluster muster;

    @BeforeAll
    static void start() {
        kafka = KafkaBrokers.start(STOCK);
        muster = MusterCluster.startOne(UPSTREAM.brokers());
    }

    @AfterAll
    static void stop() {
        muster.close();
        kafka.close();
    }

    @ParameterizedTest
    @EnumSource
    void randomMembers_areAnsweredAsByKafka(RandomKind kind) throws Exception {
        assumeTrue(KINDS.contains(kind.name()), "not among random.kinds");

        // When
        List<RandomComparison> comparisons = compare(kind);

        // Then
        System.out.println(kind + ": " + summary(comparisons));
        assertThat(comparisons.stream()
                        .flatMap(each -> each.difference().stream())
                        .toList())
                .isEmpty();
    }

    private static List<RandomComparison> compare(RandomKind kind) throws ExecutionException, InterruptedException {
        Target first = Target.firstOf(kafka.bootstrap());
        Target second = Target.firstOf(muster.bootstrap());
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Callable<RandomComparison>> tasks = LongStream.range(SEED, SEED + SEQUENCES)
                    .<Callable<RandomComparison>>mapToObj(
                            seed -> () -> new RandomComparison.Sequence(kind, seed, STEPS).on(first, second))
                    .toList();
            List<RandomComparison> comparisons = new ArrayList<>();
            for (Future<RandomComparison> each : threads.invokeAll(tasks)) {
                comparisons.add(each.get());
            }
            return comparisons;
        } finally {
            threads.shutdownNow();
        }
    }

    private static String summary(List<RandomComparison> comparisons) {
        Map<Explanation, Long> explained = comparisons.stream()
                .flatMap(each -> each.explanations().stream())
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        int steps = comparisons.stream().mapToInt(RandomComparison::steps).sum();
        return "%d seeds from %d, %d steps answered alike, explained %s".formatted(SEQUENCES, SEED, steps, explained);
    }
}
