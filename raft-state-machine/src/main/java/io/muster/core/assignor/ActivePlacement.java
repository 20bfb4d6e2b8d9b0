package io.muster.core.assignor;

import java.util.function.IntPredicate;

/** Gives active tasks to whom had them or a standby copy, within even shares, and the rest to the least loaded. */
final class ActivePlacement {
    private final TaskPlan plan;
    private final TaskHistory before;
    private final Shares shares;

    ActivePlacement(TaskPlan plan, TaskHistory before, Shares shares) {
        this.plan = plan;
        this.before = before;
        this.shares = shares;
    }

    /** Places the tasks that pass the filter. */
    void place(IntPredicate filter) {
        int[] order = plan.table.byPartition();
        for (int task : order) {
            Seat owner = before.active(task);
            if (owner != null && filter.test(task) && shares.isLeft(owner)) {
                give(owner, task);
            }
        }
        for (int task : order) {
            if (plan.owner(task) == null && filter.test(task)) {
                before.standbys(task).stream()
                        .filter(seat -> seat.member.takesNew() && shares.isLeft(seat))
                        .min(Seat.BY_LOAD)
                        .ifPresent(seat -> give(seat, task));
            }
        }
        for (int task = 0; task < plan.table.size(); task++) {
            if (plan.owner(task) == null && filter.test(task)) {
                giveToLeastLoaded(task);
            }
        }
    }

    private void giveToLeastLoaded(int task) {
        plan.leastLoaded(host -> true).ifPresent(seat -> give(seat, task));
    }

    private void give(Seat seat, int task) {
        shares.take(seat);
        plan.giveActive(seat, task);
    }
}
