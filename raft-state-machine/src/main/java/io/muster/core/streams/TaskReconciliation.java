package io.muster.core.streams;

import io.muster.core.Partitions;
import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.TaskAssignment;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Moves a member one step towards its target (KIP-1071): first it gives up what it shall not have, then it gets what nobody else
 * has any more. Each step makes the epoch before it the previous one, also if both are equal: a client may have missed one step, not
 * two.
 *
 * @param current where the member stands
 * @param target what it shall have
 * @param targetEpoch epoch of the target
 * @param owned what the member says it owns, empty if it did not say
 * @param rules what it may get now
 */
record TaskReconciliation(
        CurrentSet current, TaskAssignment target, int targetEpoch, Optional<TaskAssignment> owned, Rules rules) {
    /**
     * What a member may get.
     *
     * @param blocksActive whether somebody else still has the task, or its process keeps a copy
     * @param blocksSpare whether the member's process has the task already
     * @param mayTake whether nobody else can commit the task's partitions any more; asked only of tasks that are free otherwise
     */
    record Rules(
            BiPredicate<String, Integer> blocksActive,
            BiPredicate<String, Integer> blocksSpare,
            BiPredicate<String, Integer> mayTake) {}

    /**
     * Where the member stands after the step.
     *
     * @param withheld whether a task that is free was not given, since others might commit it still
     */
    record Step(CurrentSet current, boolean withheld) {}

    Step next() {
        TaskAssignment pending = current.pendingRevocation();
        if (pending.isEmpty()) {
            boolean done =
                    current.memberEpoch() == targetEpoch && current.assigned().equals(target);
            return done ? new Step(current, false) : advance(current.memberEpoch());
        }
        if (ownsAnyOf(pending)) {
            return new Step(current, false);
        }
        return advance(Math.min(current.memberEpoch() + 1, targetEpoch));
    }

    /** Whether the member owns any of the tasks, for all we know. */
    private boolean ownsAnyOf(TaskAssignment tasks) {
        return owned.map(owns -> !owns.intersect(tasks).isEmpty()).orElse(true);
    }

    /**
     * A task that only changes its role keeps its local state, so it is not given up first: a standby or warm-up that becomes active
     * stays until the active task is there, one that becomes the other changes at once, and an active task that becomes a standby
     * has it beside while it is given up (as Kafka 4.4).
     *
     * @param epoch the member's epoch if it has more to give up first
     */
    private Step advance(int epoch) {
        TaskAssignment had = current.assigned();
        TaskAssignment wanted = target.minus(had);
        Partitions<String> standby = unblocked(wanted.standby());
        Partitions<String> warmup = unblocked(wanted.warmup());
        TaskAssignment promoted = new TaskAssignment(
                Partitions.none(),
                had.standby().intersect(target.active()),
                had.warmup().intersect(target.active()));
        TaskAssignment turned =
                new TaskAssignment(Partitions.none(), standby.intersect(had.warmup()), warmup.intersect(had.standby()));
        Partitions<String> demoted = standby.intersect(had.active());
        TaskAssignment kept = had.intersect(target).plus(turned).plus(standbys(demoted));
        TaskAssignment surplus = had.minus(target).minus(promoted).minus(swapped(turned));
        if (!surplus.isEmpty() && ownsAnyOf(surplus)) {
            return new Step(moved(epoch, kept.plus(promoted), surplus), false);
        }
        Partitions<String> free = wanted.active()
                .filter((subtopology, partition) -> !rules.blocksActive().test(subtopology, partition));
        Partitions<String> active = free.filter(rules.mayTake());
        TaskAssignment waiting = new TaskAssignment(
                Partitions.none(),
                promoted.standby().minus(active),
                promoted.warmup().minus(active));
        TaskAssignment given = new TaskAssignment(active, standby, warmup);
        return new Step(moved(targetEpoch, kept.plus(given).plus(waiting), TaskAssignment.EMPTY), !active.equals(free));
    }

    private static TaskAssignment standbys(Partitions<String> tasks) {
        return new TaskAssignment(Partitions.none(), tasks, Partitions.none());
    }

    /** The roles that tasks had which turned from standby to warm-up or back. */
    private static TaskAssignment swapped(TaskAssignment turned) {
        return new TaskAssignment(Partitions.none(), turned.warmup(), turned.standby());
    }

    private Partitions<String> unblocked(Partitions<String> tasks) {
        return tasks.filter(rules.blocksSpare().negate());
    }

    private CurrentSet moved(int epoch, TaskAssignment assigned, TaskAssignment pendingRevocation) {
        return new CurrentSet(current.memberId(), epoch, current.memberEpoch(), assigned, pendingRevocation);
    }
}
