package io.muster.cluster.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.rpc.proto.AdminWire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes die, stop and come back; the others go on, and in the end all hold the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class NodeFaultsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int FILLING_GROUPS = 700;
    private static final int FILLING_RACK_CHARACTERS = 30_000;

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    private MusterCluster muster;

    @BeforeAll
    void start() {
        muster = MusterCluster.start(KAFKA.brokers(), "");
        join("nodes-first", muster.nodes().get(0));
    }

    @AfterAll
    void stop() {
        muster.close();
    }

    @Test
    void killedLeader_isReplacedByAnother_inOneLeaderChange() {
        // Given
        MusterNode killed = muster.awaitLeader(muster.nodes());
        List<Long> before = muster.others(killed).stream()
                .map(NodeFaultsTest::leaderChanges)
                .toList();

        // When
        killed.kill();

        // Then
        MusterNode next = muster.awaitLeader(muster.others(killed));
        assertThat(next).isNotSameAs(killed);
        assertThat(muster.others(killed))
                .extracting(NodeFaultsTest::leaderChanges)
                .isEqualTo(before.stream().map(changes -> changes + 1).toList());
        join("nodes-while-killed", next);
        killed.restart();
        muster.awaitEqualStores();
    }

    /** A store that was flushed since its last snapshot stands beyond where replay begins. */
    @Test
    void nodesKilledAfterAFlushAndLeaderChanges_comeBack() {
        // Given entries of three leaders, and more than what the stores keep in memory
        MusterNode first = muster.awaitLeader(muster.nodes());
        MusterNode second = muster.others(first).get(0);
        muster.transferLeadership(second);
        fillStores(second);
        muster.transferLeadership(first);
        join("nodes-after-flush", first);
        muster.awaitEqualStores();

        // When one, two, and all are killed
        killAndRestart(List.of(first));
        killAndRestart(muster.others(first));
        killAndRestart(muster.nodes());

        // Then
        join("nodes-after-kills", first);
        muster.awaitEqualStores();
    }

    private void killAndRestart(List<MusterNode> nodes) {
        nodes.forEach(MusterNode::kill);
        nodes.forEach(MusterNode::launch);
        nodes.forEach(MusterNode::awaitReady);
        muster.awaitEqualStores();
    }

    @Test
    void pausedLeader_isReplacedAndFollowsWhenItGoesOn() {
        // Given
        MusterNode paused = muster.awaitLeader(muster.nodes());

        // When
        paused.pause();
        MusterNode next = muster.awaitLeader(muster.others(paused));
        join("nodes-while-paused", next);
        paused.resume();

        // Then
        assertThat(next).isNotSameAs(paused);
        assertThat(muster.awaitLeader(muster.nodes())).isNotNull();
        muster.awaitEqualStores();
    }

    @Test
    void wipedFollower_getsEverythingBack() {
        // Given
        MusterNode wiped = muster.follower();
        wiped.kill();
        wiped.wipe();

        // When
        wiped.restart();

        // Then
        muster.awaitEqualStores();
        join("nodes-after-wipe", wiped);
        muster.awaitEqualStores();
    }

    @Test
    void allNodesKilled_leadAgainAfterTheirRestart() {
        // When
        muster.nodes().forEach(MusterNode::kill);
        muster.launchAll();

        // Then
        muster.awaitEqualStores();
        join("nodes-after-restart", muster.nodes().get(0));
        muster.awaitEqualStores();
    }

    /** 600 internal topics with a config of 30,000 characters each: more than the log and the nodes take at once. */
    @Test
    void joinThatIsTooLarge_costsNobodyElseAnything() {
        // Given
        MusterNode node = muster.nodes().get(0);
        join("nodes-beside", node);
        long term = term(node);

        // When
        try (RawKafka gateway = new RawKafka(node.gatewayPort()).waitAtMost(LIMIT)) {
            Errors answer = Errors.forCode(gateway.call(
                            ApiKeys.STREAMS_GROUP_HEARTBEAT, 0, largeJoin(), StreamsGroupHeartbeatResponseData.class)
                    .errorCode());
            assertThat(answer).isEqualTo(Errors.INVALID_REQUEST);
        } catch (UncheckedIOException e) {
            assertThat(e).hasRootCauseInstanceOf(IOException.class); // or the gateway does not even read that much
        }

        // Then
        try (RawKafka gateway = new RawKafka(node.gatewayPort()).waitAtMost(LIMIT)) {
            assertThat(heartbeat(gateway, "nodes-beside")).isEqualTo(Errors.NONE);
        }
        assertThat(term(node)).isEqualTo(term);
    }

    private static StreamsGroupHeartbeatRequestData largeJoin() {
        List<StreamsGroupHeartbeatRequestData.TopicInfo> changelogs = IntStream.range(0, 600)
                .mapToObj(number -> new StreamsGroupHeartbeatRequestData.TopicInfo()
                        .setName("large-" + number + "-changelog")
                        .setTopicConfigs(List.of(new StreamsGroupHeartbeatRequestData.KeyValue()
                                .setKey("key")
                                .setValue("x".repeat(30_000)))))
                .toList();
        return new StreamsGroupHeartbeatRequestData()
                .setGroupId("nodes-large")
                .setMemberId("member")
                .setMemberEpoch(0)
                .setRebalanceTimeoutMs(60_000)
                .setActiveTasks(List.of())
                .setStandbyTasks(List.of())
                .setWarmupTasks(List.of())
                .setProcessId("process")
                .setTopology(new StreamsGroupHeartbeatRequestData.Topology()
                        .setEpoch(0)
                        .setSubtopologies(List.of(new StreamsGroupHeartbeatRequestData.Subtopology()
                                .setSubtopologyId("0")
                                .setSourceTopics(List.of("source"))
                                .setStateChangelogTopics(changelogs))));
    }

    private static long term(MusterNode node) {
        return shard(node).getTerm();
    }

    private static long leaderChanges(MusterNode node) {
        return shard(node).getLeaderChanges();
    }

    private static AdminWire.ShardState shard(MusterNode node) {
        return node.admin()
                .nodeStatus(AdminWire.NodeStatusRequest.getDefaultInstance())
                .getShards(0);
    }

    /** A member joins a group, and so stands in every store. */
    private static void join(String group, MusterNode through) {
        try (RawKafka gateway = new RawKafka(through.gatewayPort()).waitAtMost(LIMIT)) {
            Awaitility.await("a member in " + group)
                    .atMost(LIMIT)
                    .until(() -> heartbeat(gateway, group) == Errors.NONE);
        }
    }

    /** Many members with long names of racks: a store keeps 16 MB in memory. */
    private static void fillStores(MusterNode through) {
        String rack = "r".repeat(FILLING_RACK_CHARACTERS);
        try (RawKafka gateway = new RawKafka(through.gatewayPort()).waitAtMost(LIMIT)) {
            for (int i = 0; i < FILLING_GROUPS; i++) {
                String group = "nodes-filling-" + i;
                Awaitility.await("a member in " + group)
                        .atMost(LIMIT)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> heartbeat(gateway, group, rack) == Errors.NONE);
            }
        }
    }

    private static Errors heartbeat(RawKafka gateway, String group) {
        return heartbeat(gateway, group, null);
    }

    private static Errors heartbeat(RawKafka gateway, String group, @Nullable String rack) {
        return Errors.forCode(gateway.call(
                        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                        1,
                        new ConsumerGroupHeartbeatRequestData()
                                .setGroupId(group)
                                .setMemberId("member")
                                .setMemberEpoch(0)
                                .setRackId(rack)
                                .setRebalanceTimeoutMs(60_000)
                                .setSubscribedTopicNames(List.of("nodes-absent"))
                                .setTopicPartitions(List.of()),
                        ConsumerGroupHeartbeatResponseData.class)
                .errorCode());
    }
}
