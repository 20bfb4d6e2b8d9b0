package io.muster.gateway.kafka.api;

import io.muster.core.Command;
import io.muster.core.GroupCommand;
import io.muster.core.GroupError;
import io.muster.core.MemberHeartbeat;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import java.util.concurrent.CompletableFuture;

/** Heartbeats by which members leave. Clients send them once and do not wait, so that the gateway sees to those that may be lost. */
final class Leaves {
    private final Coordinator coordinator;

    Leaves(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    /**
     * A heartbeat by which a member leaves.
     *
     * @param left the answer to a member that has left
     * @param deadlineNanos the request's
     */
    record Leave(MemberHeartbeat heartbeat, Response left, long deadlineNanos) {}

    /**
     * The coordinator's answer to a leave. If its outcome is unknown, or nobody could be asked, the member may have come back by the
     * time of the next try: that only has its session end soon unless it is still there.
     */
    CompletableFuture<Response> answer(Leave leave, ClientSession session) {
        return coordinator
                .submit(leave.heartbeat())
                .thenCompose(first -> OffsetRequests.passes(first)
                        ? shortenSession(leave, session)
                        : CompletableFuture.completedFuture(first));
    }

    private static CompletableFuture<Response> shortenSession(Leave leave, ClientSession session) {
        Command command = new GroupCommand.ShortenSession(
                leave.heartbeat().groupId(), leave.heartbeat().memberId());
        return session.offsets()
                .ask(command, leave.deadlineNanos())
                .thenApply(later -> hasLeft(later) ? leave.left() : later);
    }

    private static boolean hasLeft(Response response) {
        if (response instanceof Response.Done) {
            return true;
        }
        return response instanceof Response.Refused refused
                && (refused.error() == GroupError.UNKNOWN_MEMBER_ID
                        || refused.error() == GroupError.GROUP_ID_NOT_FOUND);
    }
}
