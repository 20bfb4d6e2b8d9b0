package io.muster.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SessionPoolTest {
    private static final UpstreamConfig CONFIG = new UpstreamConfig(List.of("127.0.0.1:1"), "test", Map.of());
    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void tasks_thatRunTogether_haveSessionsOfTheirOwn_andNoMoreThanThereMayBe() throws Exception {
        // Given
        Set<BrokerSession> used = ConcurrentHashMap.newKeySet();
        CountDownLatch bothRun = new CountDownLatch(2);
        CountDownLatch all = new CountDownLatch(5);
        try (SessionPool pool = pool(2, LONG)) {
            // When
            for (int i = 0; i < 5; i++) {
                pool.execute(
                        session -> {
                            used.add(session);
                            bothRun.countDown();
                            awaitQuietly(bothRun);
                            all.countDown();
                        },
                        SessionPoolTest::rethrow);
            }

            // Then
            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(used).hasSize(2);
            assertThat(pool.openSessions()).isEqualTo(2);
        }
    }

    @Test
    void session_thatNobodyUses_isClosed_andAnotherIsOpenedWhenNeeded() throws Exception {
        // Given
        try (SessionPool pool = pool(2, Duration.ofMillis(20))) {
            BrokerSession first = used(pool);

            // When
            Awaitility.await().until(() -> pool.openSessions() == 0);

            // Then
            assertThat(used(pool)).isNotSameAs(first);
        }
    }

    @Test
    void session_thatCannotBeOpened_failsItsTaskOnly() throws Exception {
        // Given
        UpstreamConfig unusable =
                new UpstreamConfig(CONFIG.bootstrapServers(), "test", Map.of("security.protocol", "nonsense"));
        CompletableFuture<RuntimeException> failure = new CompletableFuture<>();
        try (SessionPool pool = new SessionPool(unusable, "test", 1)) {
            // When
            pool.execute(session -> {}, failure::complete);

            // Then
            assertThat(failure.get(20, TimeUnit.SECONDS)).isNotNull();
            assertThat(pool.openSessions()).isZero();
        }
    }

    @Test
    void task_thatThrows_failsAlone() throws Exception {
        // Given
        IllegalStateException defect = new IllegalStateException("a defect");
        CompletableFuture<RuntimeException> failure = new CompletableFuture<>();
        try (SessionPool pool = pool(1, LONG)) {
            // When
            pool.execute(
                    session -> {
                        throw defect;
                    },
                    failure::complete);

            // Then
            assertThat(failure.get(20, TimeUnit.SECONDS)).isSameAs(defect);
            assertThat(used(pool)).isNotNull();
        }
    }

    @Test
    void closedPool_hasClosedItsSessions_andTakesNothing() throws Exception {
        // Given
        SessionPool pool = pool(2, LONG);
        BrokerSession session = used(pool);

        // When
        pool.close();

        // Then
        assertThat(session).isNotNull();
        Awaitility.await().until(() -> pool.openSessions() == 0);
        assertThatThrownBy(() -> pool.execute(unused -> {}, SessionPoolTest::rethrow))
                .isInstanceOf(RejectedExecutionException.class);
    }

    private static SessionPool pool(int size, Duration idle) {
        return new SessionPool(() -> new BrokerSession(CONFIG), "test", size, idle);
    }

    private static BrokerSession used(SessionPool pool) throws Exception {
        CompletableFuture<BrokerSession> used = new CompletableFuture<>();
        pool.execute(used::complete, used::completeExceptionally);
        return used.get(20, TimeUnit.SECONDS);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void rethrow(RuntimeException failure) {
        throw failure;
    }
}
