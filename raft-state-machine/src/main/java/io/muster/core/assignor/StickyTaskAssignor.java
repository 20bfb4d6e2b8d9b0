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
    public boolean followsLag() {
        return false;
    }

    @Override
    public SortedMap<String, TaskAssignment> assign(Tasks tasks) {
        TaskPlan plan = new TaskPlan(tasks);
        TaskHistory before = new TaskHistory(plan.table, plan.seats);
        EvenSplit split = new EvenSplit(plan.table.size(), plan.seats, before::activeCount);
        Shares shares = new Shares(split, plan.seats);
        new ActivePlacement(plan, before, shares).place(task -> true);
        new StandbyPlacement(plan, before, tasks.copies(), task -> some(before.active(task))).place();
        return plan.assignment();
    }

    /** Who ran the task has its state still. */
    private static List<Seat> some(@Nullable Seat seat) {
        return seat == null ? List.of() : List.of(seat);
    }
}
