package io.muster.core;

/**
 * One thing that Muster's own member does in a group of the upstream cluster. All that act as the
 * member name its identity.
 */
public sealed interface ClaimOperation {
    /** First join; reports {@link ClaimOutcome.Locked} as soon as upstream lists the member, then {@link ClaimOutcome.Joined}. */
    record Join(int sessionTimeoutMillis) implements ClaimOperation {}

    /**
     * Static replacement: JoinGroup with the instance id and an empty member id; reports {@link ClaimOutcome.Fenced}.
     *
     * @param replaced the identity that stops counting; also tells the report of this fence from that of an earlier one
     */
    record Fence(ClaimIdentity replaced, int sessionTimeoutMillis) implements ClaimOperation {}

    /** Keeps the session alive. */
    record Heartbeat(ClaimIdentity identity) implements ClaimOperation {}

    /** Gives the group up upstream. */
    record Leave(ClaimIdentity identity) implements ClaimOperation {}

    /**
     * Looks whether upstream has anything left of a group that is not claimed: {@link ClaimOutcome.Absent} or
     * {@link ClaimOutcome.Present}.
     *
     * @param askedAtMillis the leader's monotonic milliseconds; tells the report of this look from that of an earlier one
     */
    record Look(long askedAtMillis) implements ClaimOperation {}
}
