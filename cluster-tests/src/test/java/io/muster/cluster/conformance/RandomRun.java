package io.muster.cluster.conformance;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
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

/**
 * Random sequences of one kind, some at a time, from the seed {@code random.seed} on. With {@code random.self}, Kafka is compared
 * with itself: what differs then is chance, and no sequence may depend on it.
 *
 * @param sequences how many seeds
 * @param steps of each sequence
 */
record RandomRun(RandomKind kind, int sequences, int steps) {
    /** Kafka's look at empty groups every ten minutes would remove those that a sequence is about. */
    static final KafkaSetup STOCK =
            KafkaSetup.of(KafkaVersion.V4_4).property("offsets.retention.check.interval.ms", "3600000");

    private static final long SEED = Long.getLong("random.seed", 1);
    private static final boolean SELF = Boolean.getBoolean("random.self");
    private static final int AT_A_TIME = 8;

    /** What Muster answered otherwise without an explanation, for each sequence the first. */
    List<String> differences(KafkaBrokers kafka, MusterCluster muster) throws ExecutionException, InterruptedException {
        String compared = SELF ? kafka.bootstrap() : muster.bootstrap();
        List<RandomComparison> comparisons = compare(Target.firstOf(kafka.bootstrap()), Target.firstOf(compared));
        System.out.println(kind + ": " + summary(comparisons));
        return comparisons.stream().flatMap(each -> each.difference().stream()).toList();
    }

    private List<RandomComparison> compare(Target first, Target second)
            throws ExecutionException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Callable<RandomComparison>> tasks = LongStream.range(SEED, SEED + sequences)
                    .<Callable<RandomComparison>>mapToObj(
                            seed -> () -> new RandomComparison.Sequence(kind, seed, steps).on(first, second))
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

    private String summary(List<RandomComparison> comparisons) {
        Map<Explanation, Long> explained = comparisons.stream()
                .flatMap(each -> each.explanations().stream())
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        int answered = comparisons.stream().mapToInt(RandomComparison::steps).sum();
        return "%d seeds from %d, %d steps answered alike, explained %s"
                .formatted(sequences, SEED, answered, explained);
    }
}
