package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;

/** Whether a request about a group concerns Muster. */
final class Ownership {
    private Ownership() {}

    /** While it is not known which groups are owned, the coordinator is asked about each. */
    static boolean mayBeOwned(Coordinator coordinator, String groupId) {
        return !coordinator.ownershipKnown() || coordinator.owns(groupId);
    }
}
