package io.muster.cluster.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import io.muster.cluster.clients.ConsumingMember;
import io.muster.cluster.clients.CopyApplication;
import io.muster.cluster.clients.GroupView;
import io.muster.cluster.clients.NumberedTopic;
import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.nodes.MusterCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * What works while faults happen: two consumers and two Streams applications, one of them exactly once, which must keep their places,
 * raw members that come and go, and a reader of all committed offsets.
 */
final class SoakWorkload implements AutoCloseable {
    private static final int PARTITIONS = 4;
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String INPUT = "soak-numbers";
    private static final String ROAMED = "soak-roamed";
    private static final String CONSUMERS = "soak-consumers";
    private static final CopyApplication.Copy ONCE =
            new CopyApplication.Copy("soak-once", INPUT, "soak-once-copies", 1, "exactly_once_v2");
    private static final CopyApplication.Copy AT_LEAST_ONCE =
            new CopyApplication.Copy("soak-at-least-once", INPUT, "soak-at-least-once-copies", 1, "at_least_once");
    private static final List<String> STEADY = List.of(CONSUMERS, ONCE.group(), AT_LEAST_ONCE.group());
    private static final List<String> ALL = List.of(CONSUMERS, ONCE.group(), AT_LEAST_ONCE.group(), RoamingGroup.NAME);

    private final String brokers;
    private final MusterCluster muster;
    private final Violations violations = new Violations();
    private final NumberedTopic numbers;
    private final ConcurrentMap<String, Integer> consumed = new ConcurrentHashMap<>();
    private final List<ConsumingMember> consumers;
    private final List<CopyApplication> applications;
    private final OffsetWatch watch;
    private final RoamingGroup roamers;
    private final Map<String, GroupView> places;

    /** Starts all of it and waits until everybody has a place. */
    SoakWorkload(KafkaBrokers kafka, MusterCluster muster, Random random, Path stateDir)
            throws ExecutionException, InterruptedException {
        this.brokers = kafka.bootstrap();
        this.muster = muster;
        this.numbers = new NumberedTopic(brokers, INPUT, PARTITIONS);
        for (String topic : List.of(ONCE.to(), AT_LEAST_ONCE.to(), ROAMED)) {
            NumberedTopic.create(brokers, topic, PARTITIONS, 1);
        }
        this.consumers = List.of(consumer(), consumer());
        this.applications = List.of(
                new CopyApplication(muster.bootstrap(), ONCE, stateDir.resolve(ONCE.group())),
                new CopyApplication(muster.bootstrap(), AT_LEAST_ONCE, stateDir.resolve(AT_LEAST_ONCE.group())));
        RoamingGroup.configure(muster.bootstrap());
        this.watch = new OffsetWatch(brokers, ALL, violations);
        this.roamers = new RoamingGroup(muster, ROAMED, random, violations);
        Awaitility.await("everybody has a place")
                .atMost(LIMIT)
                .until(() -> consumers.stream().allMatch(each -> each.partitions() == PARTITIONS / 2)
                        && applications.stream().allMatch(CopyApplication::isRunning));
        this.places = STEADY.stream().collect(Collectors.toMap(Function.identity(), this::stable));
    }

    private ConsumingMember consumer() {
        return new ConsumingMember(muster.bootstrap(), CONSUMERS, INPUT, consumed);
    }

    /** More numbers to process. */
    void write(int count) {
        numbers.write(count);
    }

    /** Members may come and go. */
    void goOn() {
        roamers.setCalm(false);
    }

    /**
     * Waits until all is well again, and fails if anything happened meanwhile that must not: everything processed, as often as
     * promised, every group stable and the steady ones as they were, and the same in all nodes' stores.
     */
    void awaitWell() {
        roamers.setCalm(true);
        violations.assertNone();
        Instant begin = Instant.now();
        ALL.forEach(group -> {
            var unused = stable(group);
            SoakTest.say("  %s is stable after %d ms"
                    .formatted(group, Duration.between(begin, Instant.now()).toMillis()));
        });
        awaitProcessed();
        SoakTest.say("  all is processed after %d ms"
                .formatted(Duration.between(begin, Instant.now()).toMillis()));
        assertThat(consumers).allSatisfy(each -> {
            assertThat(each.failure()).isNull();
            assertThat(each.timesLost()).isZero();
        });
        assertThat(applications).allSatisfy(each -> assertThat(each.failure()).isNull());
        places.forEach((group, before) -> assertThat(stable(group)).as(group).isEqualTo(before));
        muster.awaitEqualStores();
        violations.assertNone();
    }

    private void awaitProcessed() {
        Map<String, Integer> expected = numbers.eachOnce();
        Awaitility.await("every number consumed")
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(200))
                .failFast("a consumer ended", () -> consumers.stream().anyMatch(each -> each.failure() != null))
                .until(() -> consumed.keySet().equals(expected.keySet()));
        assertThat(consumed).isEqualTo(expected);
        awaitCopied()
                .untilAsserted(() ->
                        assertThat(CopyApplication.output(brokers, ONCE.to())).isEqualTo(expected));
        awaitCopied()
                .until(() -> CopyApplication.output(brokers, AT_LEAST_ONCE.to())
                        .keySet()
                        .equals(expected.keySet()));
    }

    private ConditionFactory awaitCopied() {
        return Awaitility.await("every number copied")
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(500))
                .failFast("an application ended", () -> applications.stream().anyMatch(each -> each.failure() != null));
    }

    private GroupView stable(String group) {
        return Awaitility.await(group + " is stable")
                .atMost(LIMIT)
                .ignoreException(StatusRuntimeException.class)
                .until(
                        () -> GroupView.of(muster.nodes().get(0), group),
                        view -> view.state().equalsIgnoreCase("stable"));
    }

    /** What was done so far. */
    String summary() {
        return "%d records, each consumed once; %d numbers counted by roaming members"
                .formatted(numbers.eachOnce().size(), roamers.counters().total());
    }

    @Override
    public void close() {
        roamers.close();
        watch.close();
        consumers.forEach(ConsumingMember::close);
        applications.forEach(CopyApplication::close);
        numbers.close();
    }
}
