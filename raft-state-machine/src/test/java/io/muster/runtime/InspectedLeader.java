package io.muster.runtime;

import io.muster.core.Group;
import java.util.Optional;

/** Looks into a leader's memory, for the simulation. */
public final class InspectedLeader {
    private InspectedLeader() {}

    /** The term that the leader serves, 0 if it serves none. */
    public static long term(ShardLeader leader) {
        return leader.term();
    }

    /** The group as the leader has it in memory; empty if it is not there, or a change of it is on its way. */
    public static Optional<Group> settledGroup(ShardLeader leader, String groupId) {
        return leader.settledGroup(groupId);
    }
}
