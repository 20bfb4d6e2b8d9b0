package io.muster.gateway.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Which brokers clients meet at a gateway, and where. */
class VirtualBrokersTest {
    private static final int BASE_PORT = 65_000;

    private final List<Integer> asked = new ArrayList<>();
    private final List<Map<Integer, String>> heard = new ArrayList<>();
    private final Map<Integer, CompletableFuture<Void>> opened = new HashMap<>();
    private final VirtualBrokers brokers = new VirtualBrokers("gateway", BASE_PORT, this::open, this::hear);
    private Runnable whenHeard = () -> {};

    @Test
    void broker_isShown_onceItsPortIsOpen() {
        // When
        brokers.learn(3, "kafka3", 9092);

        // Then
        assertThat(brokers.shown(3)).isEmpty();
        assertThat(brokers.settled()).isNotDone();
        opened.get(3).complete(null);
        assertThat(brokers.shown(3)).contains(new BrokerAddress("gateway", BASE_PORT + 3));
        assertThat(brokers.upstreamOf(3)).contains(new BrokerAddress("kafka3", 9092));
        assertThat(brokers.settled()).isDone();
    }

    @Test
    void broker_thatMoves_keepsItsPort() {
        // Given
        brokers.learn(3, "kafka3", 9092);
        opened.get(3).complete(null);

        // When
        brokers.learn(3, "elsewhere", 9093);

        // Then
        assertThat(asked).containsExactly(3);
        assertThat(brokers.upstreamOf(3)).contains(new BrokerAddress("elsewhere", 9093));
        assertThat(brokers.shown(3)).isPresent();
    }

    @Test
    void broker_whosePortIsTaken_isLeftOut_untilARetrySucceeds() {
        // Given
        brokers.learn(1, "kafka1", 9092);
        brokers.learn(2, "kafka2", 9092);
        opened.get(1).complete(null);
        opened.get(2).completeExceptionally(new IllegalStateException("taken"));
        assertThat(brokers.ids()).containsExactly(1);
        assertThat(brokers.shown(2)).isEmpty();
        assertThat(brokers.troubles()).isEqualTo(Map.of(2, "taken"));

        // When
        brokers.learn(2, "kafka2", 9092);
        brokers.retry();
        assertThat(brokers.troubles()).isEqualTo(Map.of(2, "taken"));
        opened.get(2).complete(null);

        // Then
        assertThat(asked).containsExactly(1, 2, 2);
        assertThat(brokers.ids()).containsExactly(1, 2);
        assertThat(brokers.troubles()).isEmpty();
        assertThat(heard).containsExactly(Map.of(2, "taken"), Map.of());
    }

    @Test
    void broker_thatIsGone_isNoTrouble_andIsTriedAgainWhenItIsBack() {
        // Given
        brokers.learn(1, "kafka1", 9092);
        opened.get(1).complete(null);
        brokers.learn(2, "kafka2", 9092);
        opened.get(2).completeExceptionally(new IllegalStateException("taken"));
        brokers.present(Set.of(1, 2));

        // When
        brokers.present(Set.of(1));

        // Then
        assertThat(brokers.troubles()).isEmpty();
        assertThat(heard).containsExactly(Map.of(2, "taken"), Map.of());
        brokers.retry();
        assertThat(asked).containsExactly(1, 2);
        brokers.learn(2, "kafka2", 9092);
        opened.get(2).complete(null);
        assertThat(brokers.ids()).containsExactly(1, 2);
    }

    /** Ports are opened on several threads. */
    @Test
    void troubles_thatEndWhileOthersAreReported_areReportedInOrder() throws InterruptedException {
        // Given
        brokers.learn(1, "kafka1", 9092);
        brokers.learn(2, "kafka2", 9092);
        opened.get(1).completeExceptionally(new IllegalStateException("taken"));
        opened.get(2).completeExceptionally(new IllegalStateException("taken"));
        brokers.retry();

        // When
        Thread second = new Thread(() -> opened.get(2).complete(null));
        whenHeard = () -> {
            second.start();
            Awaitility.await().until(() -> second.getState() == Thread.State.BLOCKED || !second.isAlive());
        };
        opened.get(1).complete(null);
        second.join();

        // Then
        assertThat(heard.get(heard.size() - 1)).isEmpty();
    }

    @Test
    void broker_withoutAPossiblePort_isLeftOut() {
        for (int id : new int[] {65_536 - BASE_PORT, Integer.MAX_VALUE}) {
            // When
            brokers.learn(id, "kafka", 9092);

            // Then
            assertThat(brokers.shown(id)).isEmpty();
            assertThat(brokers.troubles()).containsKey(id);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void nobody_isIgnored() {
        // When
        brokers.learn(-1, "kafka", 9092);
        brokers.learn(1, "", -1);

        // Then
        assertThat(brokers.ids()).isEmpty();
        assertThat(brokers.upstreamOf(1)).isEmpty();
        assertThat(asked).isEmpty();
    }

    private void hear(Map<Integer, String> troubles) {
        Runnable next = whenHeard;
        whenHeard = () -> {};
        next.run();
        heard.add(troubles);
    }

    private CompletableFuture<Void> open(int brokerId) {
        asked.add(brokerId);
        CompletableFuture<Void> future = new CompletableFuture<>();
        opened.put(brokerId, future);
        return future;
    }
}
