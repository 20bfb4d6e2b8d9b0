package io.muster.core.assignor;

import io.muster.core.TaskAssignment;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Leaves stateful tasks with members that are caught up (KIP-441, KIP-1071): who shall have them for the sake of balance warms up
 * a copy first, a few at a time, and becomes their owner once it is caught up. Tasks without state are spread evenly around that.
 *
 * <p>Who runs a task now counts as caught up, unknown does not. A task of which nobody is caught up may go anywhere.
 */
public final class HighlyAvailableTaskAssignor implements TaskAssignor {
    private static final int ROUNDS = 5;

    @Override
    public String name() {
        return "highly_available";
    }

    @Override
    public boolean followsLag() {
        return true;
    }

    /**
     * While tasks have to wait for copies, assigns until doing it again on the outcome would change nothing: standby copies that one
     * round places may serve as warm-ups in the next, and nothing should move at the next rebalance for that alone.
     */
    @Override
    public SortedMap<String, TaskAssignment> assign(Tasks tasks) {
        TaskPlan plan = planOnce(tasks);
        SortedMap<String, TaskAssignment> last = plan.assignment();
        for (int round = 1; round < ROUNDS && tasks.copies().standbys() > 0 && plan.isWaiting(); round++) {
            plan = planOnce(after(tasks, last));
            SortedMap<String, TaskAssignment> next = plan.assignment();
            if (next.equals(last)) {
                return last;
            }
            last = next;
        }
        return last;
    }

    /** What there is to assign once all members have what they were assigned. */
    private static Tasks after(Tasks tasks, SortedMap<String, TaskAssignment> assigned) {
        TreeMap<String, Member> members = new TreeMap<>(tasks.members());
        members.replaceAll((id, member) -> {
            TaskAssignment mine = assigned.getOrDefault(id, TaskAssignment.EMPTY);
            LocalState state = member.state();
            return new Member(
                    member.processId(),
                    mine,
                    member.clientTags(),
                    member.takesNew(),
                    new LocalState(mine.active(), state.caughtUp(), state.offsets(), state.reports()));
        });
        return new Tasks(members, tasks.subtopologies(), tasks.copies());
    }

    private static TaskPlan planOnce(Tasks tasks) {
        TaskPlan plan = new TaskPlan(tasks);
        TaskTable table = plan.table;
        TaskHistory before = new TaskHistory(table, plan.seats);
        TaskStates states = new TaskStates(table, plan.seats);
        new StatefulPlacement(plan, before, states).place(tasks.copies().warmups());
        EvenSplit split = new EvenSplit(table.size(), plan.seats, seat -> seat.load + before.statelessCount(seat));
        new ActivePlacement(plan, before, new Shares(split, plan.seats)).place(task -> !table.isStateful(task));
        new StandbyPlacement(plan, before, tasks.copies(), task -> withState(states, before.active(task), task))
                .place();
        return plan;
    }

    private static List<Seat> withState(TaskStates states, @Nullable Seat owner, int task) {
        List<Seat> seats = new ArrayList<>(states.readySeats(task));
        if (owner != null && seats.isEmpty()) {
            seats.add(owner);
        }
        return seats;
    }
}
