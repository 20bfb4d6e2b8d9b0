package io.muster.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.CoordinatorConfig;
import io.muster.core.CoordinatorConfig.TypeDefaults;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionPatienceTest {
    private static final Duration CLIENTS = Duration.ofSeconds(25);

    @Test
    void patience_withKafkasSessions() {
        CoordinatorConfig defaults = CoordinatorConfig.defaults("test");

        assertThat(SessionPatience.withSilentBrokers(defaults)).isEqualTo(Duration.ofSeconds(15));
        assertThat(SessionPatience.ofHeartbeats(defaults)).isEqualTo(Duration.ofSeconds(5));
        assertThat(SessionPatience.ofRequests(defaults, CLIENTS)).isEqualTo(CLIENTS);
    }

    @ParameterizedTest
    @CsvSource({"9000, 45000", "45000, 9000"})
    void patience_isAThirdOfTheShortestSessionThatAGroupMayHave(int consumers, int streams) {
        CoordinatorConfig config = config(consumers, streams);

        assertThat(SessionPatience.withSilentBrokers(config)).isEqualTo(Duration.ofSeconds(3));
        assertThat(SessionPatience.ofHeartbeats(config)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void patience_withVeryShortSessions_isThatOfBrokersWhereTheyAreWaitedFor() {
        CoordinatorConfig config = config(1_500, 45_000);

        assertThat(SessionPatience.withSilentBrokers(config)).isEqualTo(Duration.ofSeconds(3));
        assertThat(SessionPatience.ofHeartbeats(config)).isEqualTo(Duration.ofMillis(500));
    }

    @ParameterizedTest
    @CsvSource({"30000, 22", "12000, 4", "6000, 2"})
    void requests_areAnsweredInTimeForTheNextHeartbeat(int sessionMillis, int seconds) {
        assertThat(SessionPatience.ofRequests(config(sessionMillis, 45_000), CLIENTS))
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    /** Sessions that group configs may shorten to these. */
    private static CoordinatorConfig config(int consumerMinMillis, int streamsMinMillis) {
        CoordinatorConfig kafka = CoordinatorConfig.defaults("test");
        return new CoordinatorConfig(
                kafka.clusterName(),
                withMinSession(consumerMinMillis),
                withMinSession(streamsMinMillis),
                kafka.onlyStreams(),
                kafka.retention(),
                kafka.patternRefreshMillis(),
                kafka.patienceMillis(),
                kafka.largeTargetSize());
    }

    private static TypeDefaults withMinSession(int millis) {
        TypeDefaults kafka = TypeDefaults.KAFKA;
        return new TypeDefaults(
                kafka.sessionTimeoutMillis(),
                millis,
                kafka.maxSessionTimeoutMillis(),
                kafka.heartbeatIntervalMillis(),
                kafka.minHeartbeatIntervalMillis(),
                kafka.maxHeartbeatIntervalMillis(),
                kafka.assignmentIntervalMillis(),
                kafka.maxSize());
    }
}
