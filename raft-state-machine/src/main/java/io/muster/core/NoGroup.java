package io.muster.core;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** A group that does not exist, or no longer does. */
public record NoGroup() implements TypedGroup {
    @Override
    public Optional<GroupType> type() {
        return Optional.empty();
    }

    @Override
    public GroupState state() {
        return GroupState.DEAD;
    }

    @Override
    public int groupEpoch() {
        return 0;
    }

    @Override
    public int assignmentEpoch() {
        return 0;
    }

    @Override
    public SortedSet<String> memberIds() {
        return Collections.unmodifiableSortedSet(new TreeSet<>());
    }

    @Override
    public SortedSet<String> topicsOfInterest() {
        return Collections.unmodifiableSortedSet(new TreeSet<>());
    }
}
