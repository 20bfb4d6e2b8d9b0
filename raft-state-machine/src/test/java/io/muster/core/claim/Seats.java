package io.muster.core.claim;

import io.muster.core.GroupState;
import io.muster.core.GroupType;
import io.muster.core.TypedGroup;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The least that the claim needs to know of a group: who its members are. */
record Seats(SortedSet<String> memberIds) implements TypedGroup {
    Seats {
        memberIds = Collections.unmodifiableSortedSet(new TreeSet<>(memberIds));
    }

    static Seats of(String... memberIds) {
        return new Seats(new TreeSet<>(java.util.List.of(memberIds)));
    }

    @Override
    public Optional<GroupType> type() {
        return Optional.of(GroupType.CONSUMER);
    }

    @Override
    public GroupState state() {
        return memberIds.isEmpty() ? GroupState.EMPTY : GroupState.STABLE;
    }

    @Override
    public int groupEpoch() {
        return 1;
    }

    @Override
    public int assignmentEpoch() {
        return 1;
    }

    @Override
    public SortedSet<String> topicsOfInterest() {
        return Collections.unmodifiableSortedSet(new TreeSet<>());
    }
}
