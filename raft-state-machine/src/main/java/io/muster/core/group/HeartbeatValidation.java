package io.muster.core.group;

import io.muster.core.GroupError;
import io.muster.core.MemberHeartbeat;
import io.muster.core.Response.Refused;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is wrong with a heartbeat itself, whatever group it is for; checked in Kafka's order. */
public final class HeartbeatValidation {
    private HeartbeatValidation() {}

    /** @param memberIdNeeded whether the member names itself */
    public static Optional<Refused> emptyStrings(MemberHeartbeat heartbeat, boolean memberIdNeeded) {
        return unless(!memberIdNeeded || !isBlank(heartbeat.memberId()), "MemberId can't be empty.")
                .or(() -> unless(!isBlank(heartbeat.groupId()), "GroupId can't be empty."))
                .or(() -> unless(!isBlank(heartbeat.instanceId()), "InstanceId can't be empty."))
                .or(() -> unless(!isBlank(heartbeat.rackId()), "RackId can't be empty."));
    }

    /**
     * Checks the member epoch and what goes with it.
     *
     * @param ofJoin what is wrong with a heartbeat that joins, beside its rebalance timeout
     * @param unknownEpoch what a heartbeat of an epoch without a meaning is refused with
     */
    public static Optional<Refused> epoch(
            MemberHeartbeat heartbeat, Supplier<Optional<Refused>> ofJoin, String unknownEpoch) {
        if (heartbeat.joins()) {
            return unless(
                            heartbeat.rebalanceTimeoutMillis() != -1,
                            "RebalanceTimeoutMs must be provided in first request.")
                    .or(ofJoin);
        }
        if (heartbeat.memberEpoch() == MemberHeartbeat.TEMPORARY_LEAVE_EPOCH) {
            return unless(heartbeat.instanceId() != null, "InstanceId can't be null.");
        }
        return unless(heartbeat.memberEpoch() > MemberHeartbeat.TEMPORARY_LEAVE_EPOCH, unknownEpoch);
    }

    /** Refuses as INVALID_REQUEST what is not fine. */
    public static Optional<Refused> unless(boolean fine, String message) {
        return fine ? Optional.empty() : Optional.of(new Refused(GroupError.INVALID_REQUEST, message));
    }

    /** As Kafka trims: spaces of other scripts count as characters. */
    private static boolean isBlank(@Nullable String value) {
        return value != null && value.trim().isEmpty();
    }
}
