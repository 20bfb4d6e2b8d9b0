package io.muster.cluster.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.RawKafka;
import io.muster.core.ClaimIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Upstream deletes the offsets of groups that it believes idle; a claimed group is never idle. Both versions wait together. */
@Execution(ExecutionMode.CONCURRENT)
class ClaimKeepsOffsetsTest {
    private static final Map<String, String> ONE_MINUTE =
            Map.of("offsets.retention.minutes", "1", "offsets.retention.check.interval.ms", "1000");

    @Test
    void offsets_ofAClaimedGroup_outliveTheRetention() throws IOException {
        // Given
        try (Upstream current = new Upstream(KafkaVersion.V4_4);
                Upstream old = new Upstream(KafkaVersion.V3_9)) {
            current.commitEverywhere();
            old.commitEverywhere();

            // When
            current.awaitExpiryOfUnclaimed();
            old.awaitExpiryOfUnclaimed();

            // Then
            assertThat(current.offsets.fetch("claimed")).isEqualTo(7);
            assertThat(old.offsets.fetch("claimed")).isEqualTo(7);
        }
    }

    private static final class Upstream implements AutoCloseable {
        private final KafkaBrokers brokers;
        private final Claims claims;
        private final RawKafka connection;
        private final Offsets offsets;

        Upstream(KafkaVersion version) throws IOException {
            this.brokers = KafkaBrokers.start(version, 1, ONE_MINUTE);
            this.claims = new Claims(brokers.bootstrap(), "blue");
            this.connection = new RawKafka(brokers.port(0)).waitAtMost(Duration.ofSeconds(60));
            this.offsets = new Offsets(connection);
        }

        void commitEverywhere() {
            offsets.createTopic();
            ClaimIdentity identity = claims.take("claimed");
            assertThat(offsets.commit("claimed", identity, 7)).isEqualTo(Errors.NONE);
            assertThat(offsets.commitWithoutMember("unclaimed", 7)).isEqualTo(Errors.NONE);
        }

        void awaitExpiryOfUnclaimed() {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(120))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> offsets.fetch("unclaimed") == -1);
        }

        @Override
        public void close() {
            connection.close();
            claims.close();
            brokers.close();
        }
    }
}
