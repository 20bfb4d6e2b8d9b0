package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorResponses;
import io.muster.gateway.kafka.KafkaRequest;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Whether the coordinator is asked to admit a commit, or the broker alone answers it. */
final class CommitAdmission {
    private static final Set<Errors> OF_MEMBERS = EnumSet.of(
            Errors.UNKNOWN_MEMBER_ID,
            Errors.ILLEGAL_GENERATION,
            Errors.FENCED_INSTANCE_ID,
            Errors.STALE_MEMBER_EPOCH,
            Errors.FENCED_MEMBER_EPOCH);

    private final Coordinator coordinator;

    CommitAdmission(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    /**
     * A request to commit offsets.
     *
     * @param byMember whether it names a member, so that the broker refuses it while a claim stands
     */
    record Asked(KafkaRequest request, ApiMessage body, String groupId, boolean byMember) {}

    /**
     * The client's answer. Commits are admitted only for clients that may READ the group; the broker refuses the others by itself. It
     * also decides alone while nobody can say whether the group is Muster's, since it refuses members of claimed groups.
     *
     * @param commit commits, and asks the coordinator only if it is given true
     * @param uncertain turns refusals of members into COORDINATOR_NOT_AVAILABLE, since they may be the claim's
     */
    CompletableFuture<ApiMessage> answer(
            ClientSession session,
            Asked asked,
            Function<Boolean, CompletableFuture<ApiMessage>> commit,
            UnaryOperator<ApiMessage> uncertain) {
        if (session.isBrokerSilent()) {
            return CompletableFuture.completedFuture(
                    ErrorResponses.of(asked.request(), asked.body(), Errors.COORDINATOR_NOT_AVAILABLE));
        }
        if (asked.byMember() && !coordinator.ownershipKnown() && !coordinator.hasLeader(asked.groupId())) {
            return commit.apply(false).thenApply(uncertain);
        }
        return session.permissions().mayReadInOrder(asked.groupId()).thenCompose(commit);
    }

    /** COORDINATOR_NOT_AVAILABLE for an error by which the broker refuses a member; others as they are. */
    static short uncertain(short errorCode) {
        return OF_MEMBERS.contains(Errors.forCode(errorCode)) ? Errors.COORDINATOR_NOT_AVAILABLE.code() : errorCode;
    }
}
