package io.muster.cluster.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.RawKafka;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A broker that falls silent costs its own groups only, and operations that were given up meanwhile are never sent. */
class ClaimOnSilentBrokerTest {
    /** Each group is kept by its coordinator alone. */
    private static final Map<String, String> ALONE =
            Map.of("group.initial.rebalance.delay.ms", "0", "offsets.topic.replication.factor", "1");

    private static final int OPERATIONS = 40;
    private static final int SENT_AT_ONCE = 8;

    @Test
    void silentBroker_holdsUpNoOther_andWhatIsGivenUpIsNotSent() throws InterruptedException, IOException {
        // Given
        try (KafkaBrokers brokers = KafkaBrokers.start(KafkaVersion.V4_4, 2, ALONE);
                Claims claims = new Claims(brokers.bootstrap(), "blue")) {
            String lively = groupOf(brokers, 0);
            String silent = groupOf(brokers, 1);
            ClaimIdentity ofLively = claims.take(lively);
            ClaimIdentity ofSilent = claims.take(silent);
            List<ClaimOutcome> outcomes = new CopyOnWriteArrayList<>();
            AtomicBoolean givenUp = new AtomicBoolean();

            // When
            brokers.pause(1);
            for (int i = 0; i < OPERATIONS; i++) {
                claims.start(
                        silent, new ClaimOperation.Fence(ofSilent, Claims.SESSION_MILLIS), givenUp::get, outcomes::add);
            }
            long startedNanos = System.nanoTime();
            claims.fence(lively, ofLively);
            Duration fenced = Duration.ofNanos(System.nanoTime() - startedNanos);
            givenUp.set(true);

            // Then
            assertThat(fenced).isLessThan(Duration.ofSeconds(5));
            assertThat(outcomes).isEmpty();
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> outcomes.size() == OPERATIONS);
            assertThat(outcomes)
                    .filteredOn(new ClaimOutcome.Unavailable("given up before it was sent")::equals)
                    .hasSizeGreaterThanOrEqualTo(OPERATIONS - SENT_AT_ONCE);
            brokers.resume(1);
        }
    }

    /** A group that this broker coordinates. */
    private static String groupOf(KafkaBrokers brokers, int broker) {
        try (RawKafka connection = new RawKafka(brokers.port(0)).waitAtMost(Duration.ofSeconds(60))) {
            return Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(
                            () -> Stream.iterate(0, i -> i + 1)
                                    .limit(20)
                                    .map(i -> "group-" + i)
                                    .filter(id -> coordinatorOf(connection, id) == broker)
                                    .findFirst()
                                    .orElse(""),
                            found -> !found.isEmpty());
        }
    }

    private static int coordinatorOf(RawKafka connection, String groupId) {
        FindCoordinatorRequestData request =
                new FindCoordinatorRequestData().setKeyType((byte) 0).setCoordinatorKeys(List.of(groupId));
        return connection
                .call(ApiKeys.FIND_COORDINATOR, 4, request, FindCoordinatorResponseData.class)
                .coordinators()
                .get(0)
                .nodeId();
    }
}
