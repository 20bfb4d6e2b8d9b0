package io.muster.gateway.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.muster.core.ClaimOperation;
import io.muster.core.Command;
import io.muster.core.GroupCommand;
import io.muster.core.GroupError;
import io.muster.core.Limits;
import io.muster.core.Response;
import io.muster.rpc.LocalCoordinator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A gateway without a node of its own. */
class RemoteNodesTest extends ClusterCoordinatorContract {
    @Override
    Optional<LocalCoordinator> own(Node first) {
        return Optional.empty();
    }

    @Test
    void submit_toALeaderWhoseStreamBreaks_isAnsweredNotCoordinator() {
        one.silent = true;
        one.lead(1);
        CompletableFuture<Response> answer = coordinator.submit(new GroupCommand.Delete("a"));
        await().atMost(PATIENCE).until(() -> !one.submitted.isEmpty());

        one.server.close();

        assertThat(answer).succeedsWithin(PATIENCE).isInstanceOf(Response.Refused.class);
    }

    @Test
    void requests_thatAreManyAndLarge_allReachTheNodeInTheirOrder() {
        // Given
        one.lead(1);
        List<String> groupIds = IntStream.range(0, 2_000)
                .mapToObj(i -> i + "x".repeat(i % 500 == 0 ? 300_000 : 100))
                .toList();

        // When
        List<CompletableFuture<Response>> answers = groupIds.stream()
                .map(groupId -> coordinator.submit(new GroupCommand.Delete(groupId)))
                .toList();

        // Then
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer).succeedsWithin(PATIENCE).isEqualTo(new Response.Done()));
        assertThat(one.submitted).extracting(Command::groupId).isEqualTo(groupIds);
    }

    @Test
    void claim_whoseNodeIsGone_isGivenUp() {
        one.gateways.upstreamClaims().start("g", new ClaimOperation.Join(1_000), outcome -> {});
        await().atMost(PATIENCE).until(() -> claims.givenUp.size() == 1);
        assertThat(claims.givenUp.get(0).getAsBoolean()).isFalse();

        one.server.close();

        await().atMost(PATIENCE).until(() -> claims.givenUp.get(0).getAsBoolean());
    }

    @Test
    void submit_ofMoreThanANodeTakes_isRefused_andTheStreamGoesOn() {
        // Given
        one.lead(1);
        assertThat(coordinator.submit(new GroupCommand.Delete("a"))).succeedsWithin(PATIENCE);

        // When
        CompletableFuture<Response> large =
                coordinator.submit(new GroupCommand.Delete("x".repeat(Limits.DEFAULT.messageBytes())));

        // Then
        assertThat(large)
                .isCompletedWithValueMatching(answer ->
                        answer instanceof Response.Refused refused && refused.error() == GroupError.INVALID_REQUEST);
        assertThat(coordinator.submit(new GroupCommand.Delete("b"))).succeedsWithin(PATIENCE);
        assertThat(one.gateways.count()).isEqualTo(1);
    }
}
