package io.muster.core.consumer;

import io.muster.core.ConsumerRecord.CurrentSet;
import io.muster.core.Partitions;
import java.util.UUID;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Moves a member one step towards its target (KIP-848): first it gives up what it shall not have, then it gets what nobody else
 * has any more.
 *
 * @param current where the member stands
 * @param target what it shall have
 * @param targetEpoch epoch of the target
 * @param owned what the member says it owns, null if it did not say
 * @param heldByOthers whether somebody else still has the partition
 * @param mayTake whether nobody else can commit the partition any more; asked only of partitions that are free otherwise
 */
record PartitionReconciliation(
        CurrentSet current,
        Partitions<UUID> target,
        int targetEpoch,
        @Nullable Partitions<UUID> owned,
        BiPredicate<UUID, Integer> heldByOthers,
        BiPredicate<UUID, Integer> mayTake) {
    /**
     * Where the member stands after the step.
     *
     * @param withheld whether a partition that is free was not given, since others might commit it still
     */
    record Step(CurrentSet current, boolean withheld) {}

    Step next() {
        Partitions<UUID> pending = current.pendingRevocation();
        if (pending.isEmpty()) {
            return advance(current.memberEpoch());
        }
        if (ownsAnyOf(pending)) {
            return new Step(current, false);
        }
        return advance(Math.min(current.memberEpoch() + 1, targetEpoch));
    }

    /** Whether the member owns any of the partitions, for all we know. */
    private boolean ownsAnyOf(Partitions<UUID> partitions) {
        return owned == null || !owned.intersect(partitions).isEmpty();
    }

    /**
     * @param epoch the member's epoch if it has more to give up first
     */
    private Step advance(int epoch) {
        Partitions<UUID> kept = current.assigned().intersect(target);
        Partitions<UUID> surplus = current.assigned().minus(target);
        if (!surplus.isEmpty() && ownsAnyOf(surplus)) {
            return new Step(moved(epoch, kept, surplus), false);
        }
        Partitions<UUID> free = target.minus(kept).filter((topic, partition) -> !heldByOthers.test(topic, partition));
        Partitions<UUID> given = free.filter(mayTake);
        return new Step(moved(targetEpoch, kept.plus(given), Partitions.none()), !given.equals(free));
    }

    private CurrentSet moved(int epoch, Partitions<UUID> assigned, Partitions<UUID> pendingRevocation) {
        int previous = epoch == current.memberEpoch() ? current.previousMemberEpoch() : current.memberEpoch();
        return new CurrentSet(current.memberId(), epoch, previous, assigned, pendingRevocation);
    }
}
