package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.CurrentSet;
import io.muster.core.Partitions;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Moves a member one step towards its target (KIP-848): first it gives up what it shall not have, then it gets what nobody else
 * has any more. Each step makes the epoch before it the previous one, also if both are equal: a client may have missed one step, not
 * two.
 *
 * @param current where the member stands
 * @param target what it shall have
 * @param targetEpoch epoch of the target
 * @param owned what the member says it owns, null if it did not say
 * @param heldByOthers whether somebody else still has the partition
 * @param mayTake whether nobody else can commit the partition any more; asked only of partitions that are free otherwise
 * @param subscribed the topics that the member subscribes to and that exist
 */
record PartitionReconciliation(
        CurrentSet current,
        Partitions<UUID> target,
        int targetEpoch,
        @Nullable Partitions<UUID> owned,
        BiPredicate<UUID, Integer> heldByOthers,
        BiPredicate<UUID, Integer> mayTake,
        Set<UUID> subscribed) {
    /**
     * Where the member stands after the step.
     *
     * @param withheld whether a partition that is free was not given, since others might commit it still
     */
    record Step(CurrentSet current, boolean withheld) {}

    Step next() {
        Partitions<UUID> pending = current.pendingRevocation();
        if (!pending.isEmpty() && ownsAnyOf(pending)) {
            return new Step(revokingUnsubscribed(), false);
        }
        return advance();
    }

    /** Of what it has beside, a member that is giving up partitions also gives up what it does not subscribe to any more. */
    private CurrentSet revokingUnsubscribed() {
        Partitions<UUID> lost = current.assigned().filter((topic, partition) -> !subscribed.contains(topic));
        if (lost.isEmpty()) {
            return current;
        }
        return new CurrentSet(
                current.memberId(),
                current.memberEpoch(),
                current.memberEpoch(),
                current.assigned().minus(lost),
                current.pendingRevocation().plus(lost),
                current.heldSince());
    }

    /** Whether the member owns any of the partitions, for all we know. */
    private boolean ownsAnyOf(Partitions<UUID> partitions) {
        return owned == null || !owned.intersect(partitions).isEmpty();
    }

    private Step advance() {
        Partitions<UUID> kept = current.assigned().intersect(target);
        Partitions<UUID> surplus = current.assigned().minus(target);
        if (!surplus.isEmpty() && ownsAnyOf(surplus)) {
            CurrentSet revoking = new CurrentSet(
                    current.memberId(),
                    current.memberEpoch(),
                    current.memberEpoch(),
                    kept,
                    surplus,
                    heldSince(kept.plus(surplus), Partitions.none()));
            return new Step(revoking, false);
        }
        Partitions<UUID> free = target.minus(kept).filter((topic, partition) -> !heldByOthers.test(topic, partition));
        Partitions<UUID> given = free.filter(mayTake);
        return new Step(atTarget(kept, given), !given.equals(free));
    }

    private CurrentSet atTarget(Partitions<UUID> kept, Partitions<UUID> given) {
        return new CurrentSet(
                current.memberId(),
                targetEpoch,
                current.memberEpoch(),
                kept.plus(given),
                Partitions.none(),
                heldSince(kept, given));
    }

    private SortedMap<Integer, Partitions<UUID>> heldSince(Partitions<UUID> still, Partitions<UUID> given) {
        TreeMap<Integer, Partitions<UUID>> since = new TreeMap<>();
        current.heldSince().forEach((epoch, partitions) -> {
            Partitions<UUID> left = partitions.intersect(still);
            if (!left.isEmpty()) {
                since.put(epoch, left);
            }
        });
        if (!given.isEmpty()) {
            since.merge(targetEpoch, given, Partitions::plus);
        }
        return since;
    }
}
