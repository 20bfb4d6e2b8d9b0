package io.muster.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimMarks;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.gateway.coordinator.ClaimExecutor;
import io.muster.gateway.netty.StandInBroker;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Where claim operations run, and that each of them is reported. */
class UpstreamClaimExecutorTest {
    private static final Map<String, String> UNUSABLE = Map.of("security.protocol", "nonsense");

    private final BlockingQueue<ClaimOutcome> outcomes = new LinkedBlockingQueue<>();

    @Test
    void operation_withoutASession_isUnavailable() throws Exception {
        // Given
        try (UpstreamClaimExecutor claims = new UpstreamClaimExecutor(config(1, UNUSABLE))) {
            // When
            claims.start(heartbeat(), () -> false, outcomes::add);

            // Then
            assertThat(outcomes.poll(20, TimeUnit.SECONDS)).isInstanceOf(ClaimOutcome.Unavailable.class);
        }
    }

    @Test
    void operationOfABroker_withoutASession_isUnavailable_onTheBrokersOwnThread() throws Exception {
        // Given
        CompletableFuture<String> thread = new CompletableFuture<>();
        BrokerClaims.Shared shared =
                new BrokerClaims.Shared(config(1, UNUSABLE), new CoordinatorLookup(), new SessionTimeouts());
        try (BrokerClaims broker = new BrokerClaims(new Node(7, "127.0.0.1", 1), shared)) {
            // When
            broker.execute(new ClaimTask(heartbeat(), () -> false, outcome -> {
                outcomes.add(outcome);
                thread.complete(Thread.currentThread().getName());
            }));

            // Then
            assertThat(thread.get(20, TimeUnit.SECONDS)).startsWith("claim-7-");
            assertThat(outcomes.remove()).isInstanceOf(ClaimOutcome.Unavailable.class);
        }
    }

    @Test
    void groupThatMoves_isTalkedAboutWithItsNewCoordinatorOnlyAfterItWasLookedUpAnew() throws Exception {
        // Given
        BlockingQueue<String> threads = new LinkedBlockingQueue<>();
        try (StandInBroker first = new StandInBroker();
                StandInBroker second = new StandInBroker();
                UpstreamClaimExecutor claims = new UpstreamClaimExecutor(config(first.port(), Map.of()))) {
            coordinatedBy(first, 1, first.port());
            heartbeats(first, Errors.NOT_COORDINATOR);
            heartbeats(second, Errors.NONE);
            claims.start(heartbeat(), () -> false, outcomes::add);
            assertThat(outcomes.poll(20, TimeUnit.SECONDS)).isInstanceOf(ClaimOutcome.Unavailable.class);

            // When
            coordinatedBy(first, 2, second.port());
            claims.start(heartbeat(), () -> false, outcome -> {
                threads.add(Thread.currentThread().getName());
                outcomes.add(outcome);
            });

            // Then
            assertThat(outcomes.poll(20, TimeUnit.SECONDS)).isInstanceOf(ClaimOutcome.HeartbeatOk.class);
            assertThat(threads.remove()).startsWith("claim-2-");
        }
    }

    @Test
    void operationOfABroker_talksToThatBrokerOnly_thoughTheGroupHasMovedMeanwhile() throws Exception {
        // Given
        try (StandInBroker first = new StandInBroker();
                StandInBroker second = new StandInBroker();
                BrokerSession lookup = new BrokerSession(config(first.port(), Map.of()))) {
            coordinatedBy(first, 2, second.port());
            heartbeats(first, Errors.NOT_COORDINATOR);
            CoordinatorLookup coordinators = new CoordinatorLookup();
            assertThat(coordinators.find(lookup, "g").id()).isEqualTo(2);
            BrokerClaims.Shared shared =
                    new BrokerClaims.Shared(config(first.port(), Map.of()), coordinators, new SessionTimeouts());
            try (BrokerClaims broker = new BrokerClaims(new Node(1, "127.0.0.1", first.port()), shared)) {
                // When
                broker.execute(new ClaimTask(heartbeat(), () -> false, outcomes::add));

                // Then
                assertThat(outcomes.poll(20, TimeUnit.SECONDS)).isInstanceOf(ClaimOutcome.Unavailable.class);
                assertThat(second.connections()).isZero();
            }
        }
    }

    private static UpstreamConfig config(int port, Map<String, String> properties) {
        return new UpstreamConfig(List.of("127.0.0.1:" + port), "test", properties);
    }

    private static ClaimExecutor.Task heartbeat() {
        return new ClaimExecutor.Task("g", new ClaimOperation.Heartbeat(new ClaimIdentity("m", 1)), ClaimMarks.NONE);
    }

    private static void coordinatedBy(StandInBroker asked, int brokerId, int port) {
        asked.answers(ApiKeys.FIND_COORDINATOR, request -> {
            FindCoordinatorResponseData answer = new FindCoordinatorResponseData();
            answer.coordinators()
                    .add(new FindCoordinatorResponseData.Coordinator()
                            .setKey("g")
                            .setNodeId(brokerId)
                            .setHost("127.0.0.1")
                            .setPort(port));
            return Optional.of(answer);
        });
    }

    private static void heartbeats(StandInBroker broker, Errors error) {
        broker.answers(
                ApiKeys.HEARTBEAT, request -> Optional.of(new HeartbeatResponseData().setErrorCode(error.code())));
    }
}
