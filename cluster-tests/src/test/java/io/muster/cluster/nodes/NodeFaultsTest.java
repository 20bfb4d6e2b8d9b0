package io.muster.cluster.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.kafka.SharedKafka;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
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
    void killedLeader_isReplacedByAnother() {
        // Given
        MusterNode killed = muster.awaitLeader(muster.nodes());

        // When
        killed.kill();

        // Then
        MusterNode next = muster.awaitLeader(muster.others(killed));
        assertThat(next).isNotSameAs(killed);
        join("nodes-while-killed", next);
        killed.restart();
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

    /** A member joins a group, and so stands in every store. */
    private static void join(String group, MusterNode through) {
        try (RawKafka gateway = new RawKafka(through.gatewayPort()).waitAtMost(LIMIT)) {
            Awaitility.await("a member in " + group)
                    .atMost(LIMIT)
                    .until(() -> heartbeat(gateway, group) == Errors.NONE);
        }
    }

    private static Errors heartbeat(RawKafka gateway, String group) {
        return Errors.forCode(gateway.call(
                        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                        1,
                        new ConsumerGroupHeartbeatRequestData()
                                .setGroupId(group)
                                .setMemberId("member")
                                .setMemberEpoch(0)
                                .setRebalanceTimeoutMs(60_000)
                                .setSubscribedTopicNames(List.of("nodes-absent"))
                                .setTopicPartitions(List.of()),
                        ConsumerGroupHeartbeatResponseData.class)
                .errorCode());
    }
}
