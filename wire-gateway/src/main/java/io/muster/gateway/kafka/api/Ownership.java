package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;

/** Whether a request about a group concerns Muster. */
final class Ownership {
    private Ownership() {}

    /** While it is not known whether the group is owned, the coordinator is asked. */
    static boolean mayBeOwned(Coordinator coordinator, String groupId) {
        return !coordinator.ownershipKnown(groupId) || coordinator.owns(groupId);
    }
}
