package io.muster.gateway.kafka.api;

import io.muster.core.Command;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import java.util.concurrent.CompletableFuture;

/** Heartbeats by which members leave. Clients say so once and do not listen, so that the gateway says it again where it may be lost. */
final class Leaves {
    private Leaves() {}

    /**
     * The coordinator's answer to a leave. If the first has an unknown outcome it is asked again; a member that is gone then has left.
     *
     * @param left the answer to a member that has left
     * @param deadlineNanos the request's
     */
    static CompletableFuture<Response> leave(
            Coordinator coordinator, ClientSession session, Command heartbeat, Response left, long deadlineNanos) {
        return coordinator
                .submit(heartbeat)
                .thenCompose(first -> OffsetRequests.passes(first)
                        ? session.offsets()
                                .ask(heartbeat, deadlineNanos)
                                .thenApply(later -> isGone(later) ? left : later)
                        : CompletableFuture.completedFuture(first));
    }

    private static boolean isGone(Response response) {
        return response instanceof Response.Refused refused
                && (refused.error() == GroupError.UNKNOWN_MEMBER_ID
                        || refused.error() == GroupError.GROUP_ID_NOT_FOUND);
    }
}
