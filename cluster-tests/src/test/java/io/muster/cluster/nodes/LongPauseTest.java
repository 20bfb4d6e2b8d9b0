package io.muster.cluster.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A suspended machine: Ratis gives a server up that stood still for more than a minute, unless it is told not to. */
@Execution(ExecutionMode.CONCURRENT)
class LongPauseTest {
    private static final Duration PAUSE = Duration.ofSeconds(65);

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    @Test
    void leaderPausedForMoreThanAMinute_followsWhenItGoesOn() {
        try (MusterCluster muster = MusterCluster.start(KAFKA.brokers(), "")) {
            // Given
            MusterNode paused = muster.awaitLeader(muster.nodes());

            // When
            paused.pause();
            Awaitility.await().pollDelay(PAUSE).atMost(PAUSE.multipliedBy(2)).until(() -> true);
            paused.resume();

            // Then
            assertThat(muster.awaitLeader(muster.nodes())).isNotNull();
            muster.awaitEqualStores();
            assertThat(paused.isAlive()).isTrue();
        }
    }
}
