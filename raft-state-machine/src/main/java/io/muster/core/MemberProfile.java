package io.muster.core;

import org.jspecify.annotations.Nullable;

/** What a member told about itself. */
public interface MemberProfile {
    /**
     * What members of all group types tell.
     *
     * @param instanceId the instance id of a static member; null of any other
     * @param rebalanceTimeoutMillis how long the member may take to give something up, milliseconds; -1 if it did not say
     */
    record Details(
            String memberId,
            @Nullable String instanceId,
            @Nullable String rackId,
            ClientInfo client,
            int rebalanceTimeoutMillis) {
        /** Of a member that joins with this heartbeat. */
        public static Details of(MemberHeartbeat heartbeat) {
            return new Details(heartbeat.memberId(), null, null, heartbeat.client(), -1).updatedBy(heartbeat);
        }

        /** The details after this heartbeat, under the heartbeat's member id. */
        public Details updatedBy(MemberHeartbeat heartbeat) {
            return new Details(
                    heartbeat.memberId(),
                    latest(heartbeat.instanceId(), instanceId),
                    latest(heartbeat.rackId(), rackId),
                    heartbeat.client(),
                    heartbeat.rebalanceTimeoutMillis() == -1
                            ? rebalanceTimeoutMillis
                            : heartbeat.rebalanceTimeoutMillis());
        }

        /** The same details under another member id. */
        public Details withMemberId(String id) {
            return new Details(id, instanceId, rackId, client, rebalanceTimeoutMillis);
        }
    }

    Details details();

    default String memberId() {
        return details().memberId();
    }

    default @Nullable String instanceId() {
        return details().instanceId();
    }

    default @Nullable String rackId() {
        return details().rackId();
    }

    default ClientInfo client() {
        return details().client();
    }

    default int rebalanceTimeoutMillis() {
        return details().rebalanceTimeoutMillis();
    }

    /** What was sent, or else what was known before. */
    static <T> @Nullable T latest(@Nullable T sent, @Nullable T known) {
        return sent == null ? known : sent;
    }
}
