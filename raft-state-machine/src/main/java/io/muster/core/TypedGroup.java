package io.muster.core;

import java.util.Optional;
import java.util.SortedSet;

/** The part of a group that its type knows about; one immutable class a group type, and {@link NoGroup}. */
public interface TypedGroup {
    /** Empty for {@link NoGroup} only. */
    Optional<GroupType> type();

    GroupState state();

    int groupEpoch();

    int assignmentEpoch();

    SortedSet<String> memberIds();

    /** Whether the group has any member; cheap however many it has. */
    default boolean hasMembers() {
        return !memberIds().isEmpty();
    }

    /** The topics whose existence or partition count matters to the group. */
    SortedSet<String> topicsOfInterest();
}
