package io.muster.cluster.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.nodes.MusterCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;

/**
 * Two consumers and a Streams application that process the same numbers through all gateways, and what must hold however nodes fail:
 * every number consumed and copied exactly once, both groups with the members and the epoch that they had.
 */
final class Workload implements AutoCloseable {
    private static final int PARTITIONS = 4;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final MusterCluster muster;
    private final Names names;
    private final String brokers;
    private final NumberedTopic numbers;
    private final ConcurrentMap<String, Integer> consumed = new ConcurrentHashMap<>();
    private final List<ConsumingMember> consumers;
    private final CopyApplication application;

    /**
     * What it uses on the brokers.
     *
     * @param consumers the consumers' group
     * @param streams the application's id
     */
    record Names(String consumers, String streams, String input, String output) {
        /** Names that begin with the same word. */
        static Names of(String prefix) {
            return new Names(prefix + "-readers", prefix + "-copier", prefix + "-numbers", prefix + "-copies");
        }
    }

    /** Both groups at one moment. */
    record Groups(GroupView consumers, GroupView streams) {}

    /** Starts all of it and waits until the partitions are shared out and the first numbers are processed. */
    static Workload start(KafkaBrokers brokers, MusterCluster muster, Names names, Path stateDir)
            throws ExecutionException, InterruptedException {
        Workload workload = new Workload(brokers, muster, names, stateDir);
        Awaitility.await("two partitions for each consumer, and a running application")
                .atMost(LIMIT)
                .until(() -> workload.consumers.stream().allMatch(each -> each.partitions() == PARTITIONS / 2)
                        && workload.application.isRunning());
        workload.write(100);
        workload.awaitProcessed();
        return workload;
    }

    private Workload(KafkaBrokers brokers, MusterCluster muster, Names names, Path stateDir)
            throws ExecutionException, InterruptedException {
        int replicas = Math.min(3, brokers.count());
        this.muster = muster;
        this.names = names;
        this.brokers = brokers.bootstrap();
        this.numbers = new NumberedTopic(this.brokers, names.input(), PARTITIONS, replicas);
        NumberedTopic.create(this.brokers, names.output(), PARTITIONS, replicas);
        this.consumers = List.of(consumer(), consumer());
        this.application = new CopyApplication(
                muster.bootstrap(), names.streams(), names.input(), names.output(), replicas, stateDir);
    }

    private ConsumingMember consumer() {
        return new ConsumingMember(muster.bootstrap(), names.consumers(), names.input(), consumed);
    }

    Names names() {
        return names;
    }

    NumberedTopic numbers() {
        return numbers;
    }

    /** More numbers to process. */
    void write(int count) {
        numbers.write(count);
    }

    /** Waits until every number is processed; fails if one was twice. */
    void awaitProcessed() {
        Map<String, Integer> expected = numbers.eachOnce();
        Awaitility.await("every number consumed")
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(200))
                .failFast("a consumer ended", () -> consumers.stream().anyMatch(each -> each.failure() != null))
                .until(() -> consumed.keySet().equals(expected.keySet()));
        assertThat(consumed).isEqualTo(expected);
        Awaitility.await("every number copied")
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(500))
                .failFast("the application ended", () -> application.failure() != null)
                .untilAsserted(() -> assertThat(CopyApplication.output(brokers, names.output()))
                        .isEqualTo(expected));
    }

    /** The groups as they are now, once they are stable. */
    Groups groups() {
        return new Groups(view(names.consumers()), view(names.streams()));
    }

    /** No member had to join again since, and the nodes hold the same. */
    void assertNobodyNoticed(Groups before) {
        assertThat(consumers).allSatisfy(each -> {
            assertThat(each.failure()).isNull();
            assertThat(each.timesLost()).isZero();
        });
        assertThat(application.failure()).isNull();
        assertThat(groups()).isEqualTo(before);
        muster.awaitEqualStores();
    }

    private GroupView view(String group) {
        return Awaitility.await(group + " is stable")
                .atMost(LIMIT)
                .ignoreException(StatusRuntimeException.class)
                .until(
                        () -> GroupView.of(muster.nodes().get(0), group),
                        view -> view.state().equalsIgnoreCase("stable"));
    }

    @Override
    public void close() {
        consumers.forEach(ConsumingMember::close);
        application.close();
        numbers.close();
    }
}
