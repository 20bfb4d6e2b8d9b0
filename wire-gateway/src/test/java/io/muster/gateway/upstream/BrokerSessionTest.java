package io.muster.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.muster.gateway.netty.StandInBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.HeartbeatResponse;
import org.junit.jupiter.api.Test;

class BrokerSessionTest {
    private static final int TIMEOUT_MILLIS = 20_000;

    @Test
    void call_isAnswered() throws Exception {
        // Given
        try (StandInBroker broker = broker();
                BrokerSession session = session(broker.port())) {
            // When
            Errors error = heartbeat(session, broker.port(), TIMEOUT_MILLIS);

            // Then
            assertThat(error).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
            assertThat(session.bootstrap()).extracting(Node::port).containsExactly(broker.port());
        }
    }

    @Test
    void call_toAPortThatNobodyListensOn_fails() {
        try (BrokerSession session = session(1)) {
            assertThatThrownBy(() -> heartbeat(session, 1, TIMEOUT_MILLIS)).isInstanceOf(UpstreamException.class);
        }
    }

    @Test
    void call_thatIsNotAnsweredInTime_fails_andTheNextGoesOn() throws Exception {
        // Given
        try (StandInBroker broker = broker();
                BrokerSession session = session(broker.port())) {
            broker.answers(ApiKeys.HEARTBEAT, request -> Optional.empty());
            long begin = System.nanoTime();
            assertThatThrownBy(() -> heartbeat(session, broker.port(), 1_000)).isInstanceOf(UpstreamException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(6));

            // When
            teach(broker);

            // Then
            assertThat(heartbeat(session, broker.port(), TIMEOUT_MILLIS)).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
        }
    }

    @Test
    void interrupt_failsTheCallThatWaits() throws Exception {
        // Given
        CountDownLatch asked = new CountDownLatch(1);
        try (StandInBroker broker = broker();
                BrokerSession session = session(broker.port())) {
            broker.answers(ApiKeys.HEARTBEAT, request -> {
                asked.countDown();
                return Optional.empty();
            });
            CompletableFuture<Errors> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return heartbeat(session, broker.port(), TIMEOUT_MILLIS);
                } catch (UpstreamException e) {
                    throw new CompletionException(e);
                }
            });
            assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();

            // When
            session.interrupt();

            // Then
            assertThatThrownBy(() -> answer.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(UpstreamException.class);
        }
    }

    private static StandInBroker broker() throws Exception {
        StandInBroker broker = new StandInBroker();
        teach(broker);
        return broker;
    }

    private static void teach(StandInBroker broker) {
        broker.answers(
                ApiKeys.HEARTBEAT,
                request -> Optional.of(new HeartbeatResponseData().setErrorCode(Errors.REBALANCE_IN_PROGRESS.code())));
    }

    private static BrokerSession session(int port) {
        return new BrokerSession(new UpstreamConfig(List.of("127.0.0.1:" + port), "test", Map.of()));
    }

    private static Errors heartbeat(BrokerSession session, int port, int timeoutMillis) throws UpstreamException {
        HeartbeatRequestData request =
                new HeartbeatRequestData().setGroupId("g").setMemberId("m");
        return ((HeartbeatResponse) session.call(
                        new Node(0, "127.0.0.1", port), new HeartbeatRequest.Builder(request), timeoutMillis))
                .error();
    }
}
