package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.GroupSet;
import io.muster.core.Group;
import io.muster.core.GroupDraft;
import io.muster.core.GroupState;
import io.muster.core.GroupType;
import io.muster.core.TypedGroup;
import java.util.Optional;
import java.util.SortedSet;

/**
 * A consumer group.
 *
 * @param status its epochs
 */
record ConsumerGroup(GroupSet status, ConsumerMembers members) implements TypedGroup {
    /** A group of which no record is folded in yet. */
    static final ConsumerGroup NEW = new ConsumerGroup(new GroupSet(0, 0, 0), ConsumerMembers.NONE);

    /** The group as drafted so far; new if there is none. */
    static ConsumerGroup of(GroupDraft draft) {
        return of(draft.group());
    }

    static ConsumerGroup of(Group group) {
        return group.typed() instanceof ConsumerGroup consumers ? consumers : NEW;
    }

    @Override
    public Optional<GroupType> type() {
        return Optional.of(GroupType.CONSUMER);
    }

    @Override
    public GroupState state() {
        if (isEmpty()) {
            return GroupState.EMPTY;
        }
        if (groupEpoch() > assignmentEpoch()) {
            return GroupState.ASSIGNING;
        }
        boolean stable = members.all().stream().allMatch(this::isReconciled);
        return stable ? GroupState.STABLE : GroupState.RECONCILING;
    }

    /** A member whose pattern is not resolved yet has nothing to wait for but that. */
    private boolean isReconciled(ConsumerMember member) {
        boolean onlyAwaitsPattern = members.awaitsPattern(member.profile())
                && member.epoch() == assignmentEpoch()
                && member.current().pendingRevocation().isEmpty();
        return onlyAwaitsPattern || member.isReconciledTo(assignmentEpoch());
    }

    @Override
    public int groupEpoch() {
        return status.groupEpoch();
    }

    @Override
    public int assignmentEpoch() {
        return status.assignmentEpoch();
    }

    @Override
    public SortedSet<String> topicsOfInterest() {
        return members.subscribedTopics();
    }

    ConsumerGroup withStatus(GroupSet next) {
        return new ConsumerGroup(next, members);
    }

    ConsumerGroup withMembers(ConsumerMembers next) {
        return new ConsumerGroup(status, next);
    }
}
