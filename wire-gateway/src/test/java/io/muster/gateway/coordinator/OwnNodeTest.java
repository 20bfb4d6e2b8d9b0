package io.muster.gateway.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.muster.core.ClientInfo;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupCommand;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Response;
import io.muster.rpc.CoordinatorSession;
import io.muster.rpc.LocalCoordinator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A gateway in the process of the first node. */
class OwnNodeTest extends ClusterCoordinatorContract {
    @Override
    Optional<LocalCoordinator> own(Node first) {
        return Optional.of(new LocalCoordinator(first.gateways, first, first.identity));
    }

    @Test
    void ownNode_isCalledWithoutItsPort() {
        // Given
        one.server.close();
        one.lead(1);

        // Then
        assertThat(coordinator.submit(new GroupCommand.Delete("a")))
                .succeedsWithin(PATIENCE)
                .isEqualTo(new Response.Done());
    }

    @Test
    void submit_thatIsNotAnswered_isWhenTheGatewayCloses() {
        // Given
        one.silent = true;
        one.lead(1);
        CompletableFuture<Response> answer = coordinator.submit(new GroupCommand.Delete("a"));
        await().atMost(PATIENCE).until(() -> !one.submitted.isEmpty());

        // When
        coordinator.close();

        // Then
        assertThat(answer).succeedsWithin(PATIENCE).isInstanceOf(Response.Refused.class);
        assertThat(one.gateways.count()).isZero();
    }

    @Test
    void submit_whileTheNodeOwesAsManyAnswersAsItMay_waits_thoughNobodyWaitsForThem() {
        // Given
        coordinator.close();
        coordinator = coordinator(Duration.ofSeconds(20), Duration.ofMillis(500));
        one.silent = true;
        one.lead(1);
        List<CompletableFuture<Response>> first = IntStream.range(0, CoordinatorSession.MAX_IN_FLIGHT)
                .mapToObj(i -> coordinator.submit(new GroupCommand.Delete("g" + i)))
                .toList();
        first.forEach(answer -> assertThat(answer).succeedsWithin(PATIENCE));
        assertThat(one.submitted).hasSize(CoordinatorSession.MAX_IN_FLIGHT);

        // When
        CompletableFuture<Response> late = coordinator.submit(new GroupCommand.Delete("late"));
        assertThat(late).succeedsWithin(PATIENCE).isInstanceOf(Response.Refused.class);
        assertThat(one.submitted).hasSize(CoordinatorSession.MAX_IN_FLIGHT);
        one.silent = false;
        one.unanswered.get(0).complete(new Response.Done());

        // Then
        assertThat(coordinator.submit(new GroupCommand.Delete("later")))
                .succeedsWithin(PATIENCE)
                .isEqualTo(new Response.Done());
    }

    @Test
    void heartbeat_isAnsweredByTheThreadThatDecides_allElseByAnother() {
        // Given
        one.silent = true;
        one.lead(1);
        await().atMost(PATIENCE).until(() -> coordinator.hasLeader("g"));
        ConsumerHeartbeat heartbeat = new ConsumerHeartbeat(
                new Sender("g", "m", 3, null, null, -1, new ClientInfo("client", "/127.0.0.1"), 1),
                null,
                null,
                null,
                null);
        CompletableFuture<Thread> heartbeatAnswered =
                coordinator.submit(heartbeat).thenApply(response -> Thread.currentThread());
        CompletableFuture<Thread> deleteAnswered =
                coordinator.submit(new GroupCommand.Delete("g")).thenApply(response -> Thread.currentThread());

        // When
        one.unanswered.get(0).complete(new Response.ConsumerHeartbeatAnswer("m", 3, 5_000, null, new TreeSet<>()));
        one.unanswered.get(1).complete(new Response.Done());

        // Then
        assertThat(heartbeatAnswered).isCompletedWithValue(Thread.currentThread());
        assertThat(deleteAnswered).succeedsWithin(PATIENCE).isNotEqualTo(Thread.currentThread());
    }
}
