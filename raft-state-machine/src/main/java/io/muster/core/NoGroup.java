package io.muster.core;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/** A group that does not exist, or no longer does. */
public record NoGroup() implements TypedGroup {
    private static final GroupMembers<GroupMember> NO_MEMBERS = new GroupMembers<>() {
        @Override
        public int size() {
            return 0;
        }

        @Override
        public Optional<GroupMember> find(String memberId) {
            return Optional.empty();
        }

        @Override
        public Optional<GroupMember> findStatic(String instanceId) {
            return Optional.empty();
        }

        @Override
        public List<GroupMember> all() {
            return List.of();
        }
    };

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
    public GroupMembers<?> members() {
        return NO_MEMBERS;
    }

    @Override
    public SortedSet<String> topicsOfInterest() {
        return Collections.emptySortedSet();
    }
}
