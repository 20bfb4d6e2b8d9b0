package io.muster.cluster.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import io.muster.cluster.nodes.NodeHost;
import io.muster.cluster.nodes.SmallDisk;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code soak.rounds} (5) times, the disks of all nodes but one, or of the only one, are full at once: the nodes end and say why, also
 * if they are started again too soon; once there is room they go on, and have lost nothing that was acknowledged.
 */
@Tag("soak")
class FullDisksTest {
    private static final Logger LOG = LoggerFactory.getLogger(FullDisksTest.class);
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int MEGABYTES = 128;
    private static final int FATAL_EXIT = 70;
    private static final int RECORDS = 100;
    private static final int LONGEST = 32_000;
    private static final int JOINS = 20;
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final List<SmallDisk> disks = new ArrayList<>();

    @TempDir
    Path stateDir;

    @AfterEach
    void unmount() {
        disks.forEach(SmallDisk::close);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void fullDisks_endTheirNodes_andCostNothingAcknowledged(int nodes) throws Exception {
        for (int i = 0; i < nodes; i++) {
            Optional<SmallDisk> disk = SmallDisk.mount(MEGABYTES);
            assumeThat(disk).isPresent();
            disks.add(disk.orElseThrow());
        }
        List<NodeHost> hosts =
                disks.stream().map(disk -> NodeHost.LOCAL.on(disk.directory())).toList();
        try (KafkaBrokers brokers = KafkaBrokers.start(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));
                MusterCluster muster = MusterCluster.start(brokers, "", hosts);
                CountedConfig config = new CountedConfig(muster.bootstrap());
                Workload workload = Workload.start(brokers, muster, Workload.Names.of("full"), stateDir)) {
            Workload.Groups before = workload.groups();
            int rounds = Integer.getInteger("soak.rounds", 5);
            for (int round = 0; round < rounds; round++) {
                strike(muster, config, round);
                Awaitility.await("the config is what it was")
                        .atMost(LIMIT)
                        .ignoreException(ExecutionException.class)
                        .until(config::isKept);
                workload.write(RECORDS);
                workload.awaitProcessed();
                workload.assertNobodyNoticed(before);
                LOG.warn("round {} of {}: nothing lost", round + 1, rounds);
            }
        }
    }

    private void strike(MusterCluster muster, CountedConfig config, int round) {
        List<Integer> struck = struck(round, muster.nodes().size());
        fill(muster, struck, config);
        if (round % 2 == 0) {
            startTooSoon(muster, struck);
        }
        free(muster, struck);
    }

    /** All but one, another one each time; the only one if there is no other. */
    private static List<Integer> struck(int round, int nodes) {
        List<Integer> struck = new ArrayList<>();
        for (int i = 0; i < Math.max(1, nodes - 1); i++) {
            struck.add((round + i) % nodes);
        }
        return struck;
    }

    /** Nodes notice it once the room is used up that their logs have in advance. */
    private void fill(MusterCluster muster, List<Integer> struck, CountedConfig config) {
        Awaitility.await("a config is taken").atMost(LIMIT).until(config::raise);
        struck.forEach(node -> disks.get(node).fill());
        Awaitility.await("the nodes end").atMost(LIMIT).until(() -> {
            var unused = config.raise();
            muster.nodes().stream().filter(MusterNode::isAlive).forEach(FullDisksTest::writeMuch);
            return struck.stream().noneMatch(node -> muster.nodes().get(node).isAlive());
        });
        struck.forEach(node -> assertEnded(muster.nodes().get(node)));
    }

    /** A member joins again and again, with another rack each time, whose name is as long as can be. */
    private static void writeMuch(MusterNode through) {
        try (RawKafka client = new RawKafka(through.gatewayPort()).waitAtMost(ANSWER)) {
            for (int i = 0; i < JOINS; i++) {
                client.call(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, join(), ConsumerGroupHeartbeatResponseData.class);
            }
        } catch (UncheckedIOException ended) {
            LOG.debug("{} does not answer", through.id(), ended);
        }
    }

    private static ConsumerGroupHeartbeatRequestData join() {
        return new ConsumerGroupHeartbeatRequestData()
                .setGroupId("full-much")
                .setMemberId("large")
                .setMemberEpoch(0)
                .setRackId(Long.toString(System.nanoTime()) + "r".repeat(LONGEST))
                .setRebalanceTimeoutMs(45_000)
                .setSubscribedTopicNames(List.of("full-numbers"))
                .setTopicPartitions(List.of());
    }

    private static void assertEnded(MusterNode node) {
        assertThat(node.awaitExit(LIMIT)).isEqualTo(FATAL_EXIT);
        assertThat(node.said()).contains("No space left on device");
    }

    private static void startTooSoon(MusterCluster muster, List<Integer> struck) {
        for (int node : struck) {
            MusterNode again = muster.nodes().get(node);
            again.kill();
            again.launch();
            assertThat(again.awaitExit(LIMIT)).isNotZero();
            assertThat(again.said()).contains("No space left on device");
        }
    }

    private void free(MusterCluster muster, List<Integer> struck) {
        struck.forEach(node -> disks.get(node).free());
        struck.forEach(node -> muster.nodes().get(node).kill());
        struck.forEach(node -> muster.nodes().get(node).launch());
        struck.forEach(node -> muster.nodes().get(node).awaitReady());
        muster.awaitLeader(muster.nodes());
    }
}
