package io.muster.cluster.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.Road;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A gateway admits a commit, and stops before it reaches the broker. The member is removed, its partition goes to a successor who
 * commits more; then the gateway goes on and the old commit arrives.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class LateCommitTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String SHORT_SESSIONS = """
            coordinator:
              consumer:
                sessionTimeout: 6s
                minSessionTimeout: 6s
                heartbeatInterval: 1s
                minHeartbeatInterval: 1s
            """;

    private Road road;
    private KafkaBrokers brokers;
    private MusterCluster muster;

    @BeforeAll
    void start() {
        brokers = KafkaBrokers.start(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4), port -> {
            road = new Road(port);
            return road.port();
        });
        muster = MusterCluster.start(brokers, SHORT_SESSIONS);
    }

    @AfterAll
    void stop() {
        muster.close();
        brokers.close();
        road.close();
    }

    @Test
    void plainCommit_ofAMemberThatWasReplaced_isFenced() throws ExecutionException, InterruptedException {
        MusterNode stopped = muster.follower();
        try (NumberedTopic topic = new NumberedTopic(brokers.bootstrap(), "plain", 1);
                Copier zombie = new Copier(gateway(stopped), "plain-group", topic.name());
                Copier successor = new Copier(gateway(muster.others(stopped).get(0)), "plain-group", topic.name())) {
            // Given
            topic.write(10);
            zombie.join();
            zombie.read(10).get();
            Road.Barrier barrier = road.hold(ApiKeys.OFFSET_COMMIT);
            Future<?> late = zombie.commit();
            barrier.awaitReached(LIMIT);

            // When
            stopped.pause();
            topic.write(10);
            successor.join();
            successor.read(20).get();
            successor.commit().get();
            stopped.resume();
            barrier.lift();

            // Then
            assertThatThrownBy(late::get).hasCauseInstanceOf(CommitFailedException.class);
            assertThat(successor.committed().get()).isEqualTo(20);
        }
    }

    @Test
    void transactionalCommit_ofAMemberThatWasReplaced_isFenced() throws ExecutionException, InterruptedException {
        MusterNode stopped = muster.follower();
        NumberedTopic.create(brokers.bootstrap(), "transactional-out", 1);
        try (NumberedTopic topic = new NumberedTopic(brokers.bootstrap(), "transactional", 1);
                Copier zombie = new Copier(gateway(stopped), "transactional-group", topic.name());
                Copier successor =
                        new Copier(gateway(muster.others(stopped).get(0)), "transactional-group", topic.name())) {
            // Given
            topic.write(10);
            zombie.join();
            zombie.read(10).get();
            Road.Barrier barrier = road.hold(ApiKeys.TXN_OFFSET_COMMIT);
            Future<?> late = zombie.copyInTransaction("transactional-out");
            barrier.awaitReached(LIMIT);

            // When
            stopped.pause();
            topic.write(10);
            successor.join();
            successor.read(20).get();
            successor.copyInTransaction("transactional-out").get();
            stopped.resume();
            barrier.lift();

            // Then
            assertThatThrownBy(late::get).hasCauseInstanceOf(CommitFailedException.class);
            assertThat(successor.committed().get()).isEqualTo(20);
            assertThat(Copier.output(brokers.bootstrap(), "transactional-out")).isEqualTo(topic.eachOnce());
        }
    }

    private static String gateway(MusterNode node) {
        return "127.0.0.1:" + node.gatewayPort();
    }
}
