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

    /**
     * What members of all group types say.
     *
     * @param memberId empty if the coordinator shall name the member
     * @param memberEpoch 0 joins, -1 leaves, -2 leaves for a while (static members)
     * @param rebalanceTimeoutMillis milliseconds, -1 if unchanged
     * @param apiVersion version of the request, 0 or 1
     */
    record Sender(
            String groupId,
            String memberId,
            int memberEpoch,
            @Nullable String instanceId,
            @Nullable String rackId,
            int rebalanceTimeoutMillis,
            ClientInfo client,
            int apiVersion) {
        /** The same sender, which says nothing new of itself. */
        public Sender unchanged() {
            return new Sender(groupId, memberId, memberEpoch, instanceId, null, -1, client, apiVersion);
        }

        /** Whether the sender says nothing new of itself. */
        public boolean isUnchanged() {
            return rackId == null && rebalanceTimeoutMillis == -1;
        }

        /** The same sender under another member id. */
        public Sender withMemberId(String id) {
            return new Sender(groupId, id, memberEpoch, instanceId, rackId, rebalanceTimeoutMillis, client, apiVersion);
        }
    }

    Sender sender();

    /** The type of group that the sender takes it for. */
    GroupType groupType();

    /** Whether a live member says nothing but that it is alive. */
    boolean isKeepAlive();

    /** A heartbeat of the same live member that says nothing but that it is alive. */
    MemberHeartbeat asKeepAlive();

    @Override
    default String groupId() {
        return sender().groupId();
    }

    default String memberId() {
        return sender().memberId();
    }

    default int memberEpoch() {
        return sender().memberEpoch();
    }

    default @Nullable String instanceId() {
        return sender().instanceId();
    }

    default @Nullable String rackId() {
        return sender().rackId();
    }

    default int rebalanceTimeoutMillis() {
        return sender().rebalanceTimeoutMillis();
    }

    default ClientInfo client() {
        return sender().client();
    }

    default int apiVersion() {
        return sender().apiVersion();
    }

    default boolean joins() {
        return memberEpoch() == JOIN_EPOCH;
    }

    default boolean leaves() {
        return memberEpoch() == LEAVE_EPOCH || memberEpoch() == TEMPORARY_LEAVE_EPOCH;
    }
}
