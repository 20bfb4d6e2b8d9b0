package io.muster.core.streams;

import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.StreamsGroupRecord.MemberSet;
import io.muster.core.StreamsGroupRecord.TaskOffsetsSet;
import io.muster.core.TaskAssignment;

/**
 * All that a group knows of one member.
 *
 * @param profile what it told about itself
 * @param current where it stands
 * @param target what it shall have
 * @param offsets its last task offsets
 */
record StreamsMember(MemberSet profile, CurrentSet current, TaskAssignment target, TaskOffsetsSet offsets) {
    String id() {
        return profile.memberId();
    }

    int epoch() {
        return current.memberEpoch();
    }

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
}
