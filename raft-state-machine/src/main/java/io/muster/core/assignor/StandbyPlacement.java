package io.muster.core.assignor;

import io.muster.core.assignor.Seat.Host;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Places the standby copies of stateful tasks once the active tasks are given: never two copies of a task in one process; as
 * different as can be in the configured client tags (KIP-708, KIP-925); where copies are already; evenly.
 */
final class StandbyPlacement {
    private final TaskPlan plan;
    private final TaskHistory before;
    private final int copies;
    private final List<String> tags;
    private final StateElsewhere state;

    /** The members whose process has some state of a task, though they had no standby copy of it in the last target. */
    interface StateElsewhere {
        List<Seat> of(int task);
    }

    StandbyPlacement(TaskPlan plan, TaskHistory before, TaskAssignor.Copies copies, StateElsewhere state) {
        this.plan = plan;
        this.before = before;
        this.copies = copies.standbys();
        this.tags = copies.rackAwareTags();
        this.state = state;
    }

    void place() {
        if (copies == 0) {
            return;
        }
        int[] lacking = new int[plan.table.size()];
        for (int task : plan.table.byPartition()) {
            if (plan.table.isStateful(task)) {
                lacking[task] = copies - keep(task);
            }
        }
        for (int task = 0; task < lacking.length; task++) {
            fill(task, lacking[task]);
        }
        while (level()) {
            // each pass makes loads more even
        }
    }

    /** Leaves copies where they were, if no other place differs more or the copy is about to run; answers how many. */
    private int keep(int task) {
        List<Seat> had = new ArrayList<>(before.standbys(task));
        Seat next = plan.runsElsewhere(task) ? plan.owner(task) : null;
        int kept = 0;
        if (next != null && had.remove(next) && !plan.hasCopy(next.host, task)) {
            plan.giveStandby(next, task);
            kept++;
        }
        while (kept < copies && !had.isEmpty()) {
            Seat best = best(had, task);
            had.remove(best);
            if (!plan.hasCopy(best.host, task) && isMostDifferent(best.host, task)) {
                plan.giveStandby(best, task);
                kept++;
            }
        }
        return kept;
    }

    private Seat best(List<Seat> some, int task) {
        return some.size() == 1
                ? some.get(0)
                : some.stream()
                        .max(Comparator.<Seat>comparingInt(seat -> difference(seat.host, task))
                                .thenComparingInt(seat -> -seat.index))
                        .orElseThrow();
    }

    private void fill(int task, int lacking) {
        for (int copy = 0; copy < lacking; copy++) {
            Optional<Seat> place = withState(task).or(() -> mostDifferent(task));
            if (place.isEmpty()) {
                return;
            }
            plan.giveStandby(place.get(), task);
        }
    }

    /** A member whose process has the task's state, if there is no more different place. */
    private Optional<Seat> withState(int task) {
        return state.of(task).stream()
                .filter(seat ->
                        seat.member.takesNew() && !plan.hasCopy(seat.host, task) && isMostDifferent(seat.host, task))
                .min(Seat.BY_LOAD);
    }

    private Optional<Seat> mostDifferent(int task) {
        if (tags.isEmpty()) {
            return plan.leastLoaded(host -> !plan.hasCopy(host, task));
        }
        int best = bestDifference(task);
        return plan.leastLoaded(host -> !plan.hasCopy(host, task) && difference(host, task) == best);
    }

    private boolean isMostDifferent(Host host, int task) {
        int mine = difference(host, task);
        return mine == tags.size() || mine >= bestDifference(task);
    }

    private int bestDifference(int task) {
        int best = -1;
        for (Host host : plan.hostsByLoad()) {
            if (!plan.hasCopy(host, task)) {
                best = Math.max(best, difference(host, task));
                if (best == tags.size()) {
                    return best;
                }
            }
        }
        return best;
    }

    /** In how many tags the process differs from all that have a copy of the task. */
    private int difference(Host host, int task) {
        return difference(host, plan.holders(task));
    }

    private int difference(Host host, List<Host> others) {
        int count = 0;
        for (String tag : tags) {
            String value = host.tags.get(tag);
            if (value != null && others.stream().noneMatch(other -> Objects.equals(other.tags.get(tag), value))) {
                count++;
            }
        }
        return count;
    }

    /** Moves copies to members that have two less, or answers that no move makes the loads more even. */
    private boolean level() {
        boolean moved = false;
        for (int task = plan.table.size() - 1; task >= 0; task--) {
            Seat[] places = plan.standbys(task);
            for (int place = 0; place < places.length; place++) {
                moved |= level(task, place, places[place]);
            }
        }
        return moved;
    }

    private boolean level(int task, int place, Seat from) {
        boolean isAboutToRun = plan.runsElsewhere(task) && from == plan.owner(task);
        if (isAboutToRun
                || plan.hostsByLoad().isEmpty()
                || from.load < plan.hostsByLoad().first().takers().first().load + 2) {
            return false;
        }
        int difference = tags.isEmpty() ? 0 : differenceWithout(from.host, from.host, task);
        Optional<Seat> to = plan.leastLoaded(host -> !plan.hasCopy(host, task)
                && (tags.isEmpty() || differenceWithout(host, from.host, task) >= difference));
        if (to.isEmpty() || from.load < to.get().load + 2) {
            return false;
        }
        plan.moveStandby(task, place, to.get());
        return true;
    }

    private int differenceWithout(Host host, Host left, int task) {
        return difference(
                host, plan.holders(task).stream().filter(other -> other != left).toList());
    }
}
