package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.CurrentSet;
import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.Partitions;
import java.util.UUID;

/**
 * All that a group knows of one member.
 *
 * @param profile what it told about itself
 * @param current where it stands
 * @param target what it shall have
 */
record ConsumerMember(MemberSet profile, CurrentSet current, Partitions<UUID> target) {
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

    /** All that nobody else may have now: its partitions and those that it shall give up. */
    Partitions<UUID> held() {
        return current.assigned().plus(current.pendingRevocation());
    }
}
