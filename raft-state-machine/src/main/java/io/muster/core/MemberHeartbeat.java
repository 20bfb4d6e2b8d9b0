package io.muster.core;

import org.jspecify.annotations.Nullable;

/** A heartbeat of a member, whatever type its group is of. A null field did not change since the last heartbeat. */
public sealed interface MemberHeartbeat extends Command permits ConsumerHeartbeat, StreamsHeartbeat {
    /** Member epoch of a request that joins. */
    int JOIN_EPOCH = 0;

    /** Member epoch of a request that leaves. */
    int LEAVE_EPOCH = -1;

    /** Member epoch of a static member that leaves for a while. */
    int TEMPORARY_LEAVE_EPOCH = -2;

    /** The type of group that the sender takes it for. */
    GroupType groupType();

    /** Empty if the coordinator shall name the member. */
    String memberId();

    int memberEpoch();

    @Nullable
    String instanceId();

    @Nullable
    String rackId();

    /** Milliseconds, -1 if unchanged. */
    int rebalanceTimeoutMillis();

    /** Who sent it. */
    ClientInfo client();

    /** Whether a live member says nothing but that it is alive. */
    boolean isKeepAlive();

    /** A heartbeat of the same live member that says nothing but that it is alive. */
    MemberHeartbeat asKeepAlive();

    default boolean joins() {
        return memberEpoch() == JOIN_EPOCH;
    }

    default boolean leaves() {
        return memberEpoch() == LEAVE_EPOCH || memberEpoch() == TEMPORARY_LEAVE_EPOCH;
    }
}
