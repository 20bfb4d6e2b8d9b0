package io.muster.gateway.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.GroupCommand;
import io.muster.core.Response;
import io.muster.rpc.LocalCoordinator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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

        // When
        coordinator.close();

        // Then
        assertThat(answer).succeedsWithin(PATIENCE).isInstanceOf(Response.Refused.class);
        assertThat(one.gateways.count()).isZero();
    }
}
