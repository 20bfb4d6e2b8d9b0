package io.muster.cluster.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes die, stop and come back; the others go on, and in the end all hold the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class NodeFaultsTest {
    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    private MusterCluster muster;

    @BeforeAll
    void start() {
        KafkaBrokers brokers = KAFKA.brokers();
        muster = MusterCluster.start(brokers, "");
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
        assertThat(muster.awaitLeader(muster.others(killed))).isNotSameAs(killed);
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
    }

    @Test
    void allNodesKilled_leadAgainAfterTheirRestart() {
        // When
        muster.nodes().forEach(MusterNode::kill);
        muster.launchAll();

        // Then
        muster.awaitEqualStores();
    }
}
