package io.muster.core;

import java.util.Optional;
import java.util.SortedSet;

/** The part of a group that its type knows about; one immutable class per group type, and {@link NoGroup}. */
public interface TypedGroup {
    /** Empty for {@link NoGroup} only. */
    Optional<GroupType> type();

    GroupState state();

    int groupEpoch();

    int assignmentEpoch();

    GroupMembers<?> members();

    default boolean isEmpty() {
        return members().isEmpty();
    }

    default Optional<GroupMember> find(String memberId) {
        return members().find(memberId).map(member -> member);
    }

    default Optional<GroupMember> findStatic(String instanceId) {
        return members().findStatic(instanceId).map(member -> member);
    }

    /** The topics whose existence or partition count matters to the group. */
    SortedSet<String> topicsOfInterest();
}
