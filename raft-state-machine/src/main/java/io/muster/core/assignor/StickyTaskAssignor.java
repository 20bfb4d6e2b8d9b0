package io.muster.core.assignor;

import io.muster.core.TaskAssignment;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps tasks where they were or where a standby copy is, as far as no member gets more than its share; the rest goes to the
 * members with the least load. No two copies of a task share a process.
 */
public final class StickyTaskAssignor implements TaskAssignor {
    @Override
    public String name() {
        return "sticky";
    }

    @Override
    public SortedMap<String, TaskAssignment> assign(Tasks tasks) {
        TaskPlan plan = new TaskPlan(tasks);
        TaskHistory before = new TaskHistory(plan.table, plan.seats);
        assignActive(plan, before);
        new StandbyPlacement(plan, before, tasks.copies(), task -> lost(before.active(task))).place();
        return plan.assignment();
    }

    /** Who ran the task has its state still. */
    private static List<Seat> lost(@Nullable Seat seat) {
        return seat == null ? List.of() : List.of(seat);
    }

    private static void assignActive(TaskPlan plan, TaskHistory before) {
        Shares shares = new Shares(plan.table.size(), plan.seats, before::activeCount);
        int[] order = plan.table.byPartition();
        for (int task : order) {
            Seat owner = before.active(task);
            if (owner != null && shares.isLeft(owner)) {
                give(plan, shares, owner, task);
            }
        }
        for (int task : order) {
            if (plan.owner(task) == null) {
                before.standbys(task).stream()
                        .filter(seat -> seat.member.takesNew() && shares.isLeft(seat))
                        .min(Seat.BY_LOAD)
                        .ifPresent(seat -> give(plan, shares, seat, task));
            }
        }
        for (int task = 0; task < plan.table.size(); task++) {
            if (plan.owner(task) == null) {
                giveToLeastLoaded(plan, shares, task);
            }
        }
    }

    private static void giveToLeastLoaded(TaskPlan plan, Shares shares, int task) {
        plan.leastLoaded(host -> true).ifPresent(seat -> give(plan, shares, seat, task));
    }

    private static void give(TaskPlan plan, Shares shares, Seat seat, int task) {
        shares.take(seat);
        plan.giveActive(seat, task);
    }
}
