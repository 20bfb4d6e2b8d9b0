package io.muster.gateway.kafka.api;

import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import io.muster.gateway.kafka.permissions.RememberedMembers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** The way of a heartbeat of a consumer or streams group: it is admitted, decided in Raft, followed and answered. */
final class HeartbeatPipeline {
    private final Coordinator coordinator;
    private final Leaves leaves;
    private final HeartbeatAdmission admission;

    HeartbeatPipeline(Coordinator coordinator, RememberedMembers remembered) {
        this.coordinator = coordinator;
        this.leaves = new Leaves(coordinator);
        this.admission = new HeartbeatAdmission(remembered);
    }

    /** What the order of the connection depends on: a join may found its group. */
    Concern concern(String groupId, Concern heartbeat) {
        return heartbeat.kind() != Concern.Kind.JOIN || coordinator.owns(groupId)
                ? heartbeat
                : heartbeat.ofAbsentGroup();
    }

    /** @param deadlineNanos the request's */
    Route route(GroupHeartbeat heartbeat, ClientSession session, long deadlineNanos) {
        CompletableFuture<ApiMessage> answer = admission.passesUnasked(session, heartbeat)
                ? decide(heartbeat, session, deadlineNanos)
                : admission
                        .judge(session, heartbeat)
                        .thenCompose(verdict -> judged(verdict, heartbeat, session, deadlineNanos));
        return new Route.Answer(answer, Optional.of(() -> heartbeat.refusal(Errors.COORDINATOR_NOT_AVAILABLE)));
    }

    private CompletableFuture<ApiMessage> judged(
            HeartbeatAdmission.Verdict verdict, GroupHeartbeat heartbeat, ClientSession session, long deadlineNanos) {
        if (verdict.error() == Errors.NONE) {
            return decide(heartbeat, session, deadlineNanos);
        }
        if (verdict.keepsAlive()) {
            var unused = coordinator.submit(heartbeat.command().asKeepAlive());
        }
        return CompletableFuture.completedFuture(heartbeat.refusal(verdict.error()));
    }

    private CompletableFuture<ApiMessage> decide(GroupHeartbeat heartbeat, ClientSession session, long deadlineNanos) {
        return decided(heartbeat, session, deadlineNanos)
                .thenCompose(answer -> followed(heartbeat, answer, session).thenApply(heartbeat::answer));
    }

    /** The coordinator's answer, handed on by the connection's thread: the shard's thread has other groups to decide. */
    private CompletableFuture<Response> decided(GroupHeartbeat heartbeat, ClientSession session, long deadlineNanos) {
        return heartbeat.command().leaves()
                ? leaves.answer(new Leaves.Leave(heartbeat.command(), heartbeat.left(), deadlineNanos), session)
                : coordinator.submit(heartbeat.command()).thenApplyAsync(Function.identity(), session.thread());
    }

    private CompletableFuture<Response> followed(GroupHeartbeat heartbeat, Response answer, ClientSession session) {
        String groupId = heartbeat.command().groupId();
        if (answer instanceof Response.Refused) {
            return heartbeat.command().joins() || coordinator.owns(groupId)
                    ? CompletableFuture.completedFuture(answer)
                    : GroupsUpstream.told(answer, groupId, heartbeat.command().groupType(), session.upstream());
        }
        Optional<String> live = heartbeat.liveMemberId(answer);
        if (live.isPresent()) {
            admission.answered(session, heartbeat, live.get());
        } else if (heartbeat.command().leaves()) {
            admission.left(heartbeat);
        }
        return heartbeat.follow(answer);
    }
}
