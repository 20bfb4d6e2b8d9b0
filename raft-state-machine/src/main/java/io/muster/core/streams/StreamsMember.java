package io.muster.core.streams;

import io.muster.core.Group;
import io.muster.core.GroupMember;
import io.muster.core.GroupRecord;
import io.muster.core.MemberHeartbeat;
import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.StreamsGroupRecord.MemberRemoved;
import io.muster.core.StreamsGroupRecord.MemberSet;
import io.muster.core.StreamsGroupRecord.TaskOffsetsSet;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TaskAssignment;
import java.util.Optional;

/**
 * All that a group knows of one member.
 *
 * @param profile what it told about itself
 * @param current where it stands
 * @param target what it shall have
 * @param offsets its last task offsets
 */
record StreamsMember(MemberSet profile, CurrentSet current, TaskAssignment target, TaskOffsetsSet offsets)
        implements GroupMember {
    /** Whether it has exactly what the target of this epoch gives it. */
    boolean isReconciledTo(int assignmentEpoch) {
        return current.memberEpoch() == assignmentEpoch
                && current.pendingRevocation().isEmpty()
                && current.assigned().equals(target);
    }

    /** All that nobody else may have now: its tasks and those that it shall give up. */
    TaskAssignment held() {
        return current.assigned().plus(current.pendingRevocation());
    }

    @Override
    public boolean ownsOnlyAssigned(MemberHeartbeat heartbeat) {
        return owned(heartbeat)
                .filter(owned -> owned.minus(current.assigned()).isEmpty())
                .isPresent();
    }

    @Override
    public boolean gaveUp(MemberHeartbeat heartbeat) {
        return owned(heartbeat)
                .filter(owned -> owned.intersect(current.pendingRevocation()).isEmpty())
                .isPresent();
    }

    private static Optional<TaskAssignment> owned(MemberHeartbeat heartbeat) {
        return heartbeat instanceof StreamsHeartbeat streams ? streams.tasks().known() : Optional.empty();
    }

    @Override
    public String pendingRevocation(Group group) {
        return TaskOffsets.words(current.pendingRevocation());
    }

    @Override
    public GroupRecord removal() {
        return new MemberRemoved(id());
    }
}
