package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.CurrentSet;
import io.muster.core.ConsumerGroupRecord.MemberRemoved;
import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.Group;
import io.muster.core.GroupMember;
import io.muster.core.GroupRecord;
import io.muster.core.HistoryMessages;
import io.muster.core.MemberHeartbeat;
import io.muster.core.Partitions;
import java.util.Optional;
import java.util.UUID;

/**
 * All that a group knows of one member.
 *
 * @param profile what it told about itself
 * @param current where it stands
 * @param target what it shall have
 */
record ConsumerMember(MemberSet profile, CurrentSet current, Partitions<UUID> target) implements GroupMember {
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

    @Override
    public boolean ownsOnlyAssigned(MemberHeartbeat heartbeat) {
        return owned(heartbeat).filter(current.assigned()::containsAll).isPresent();
    }

    @Override
    public boolean gaveUp(MemberHeartbeat heartbeat) {
        return owned(heartbeat)
                .filter(owned -> owned.intersect(current.pendingRevocation()).isEmpty())
                .isPresent();
    }

    private static Optional<Partitions<UUID>> owned(MemberHeartbeat heartbeat) {
        return heartbeat instanceof ConsumerHeartbeat consumer
                ? Optional.ofNullable(consumer.ownedPartitions())
                : Optional.empty();
    }

    @Override
    public String pendingRevocation(Group group) {
        return HistoryMessages.some(HistoryMessages.partitions(current.pendingRevocation(), group.topicBasis()));
    }

    @Override
    public GroupRecord removal() {
        return new MemberRemoved(id());
    }
}
