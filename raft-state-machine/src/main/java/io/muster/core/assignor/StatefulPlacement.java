package io.muster.core.assignor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives stateful tasks an owner each, so that loads are even, and lets them run where they are caught up until the owner is.
 *
 * <p>It starts from where every task may run at once, and then takes tasks from who has more than its share, those first whose
 * new owner needs to restore least.
 */
final class StatefulPlacement {
    private final TaskPlan plan;
    private final TaskHistory before;
    private final TaskStates states;
    private final List<Integer> stateful = new ArrayList<>();
    private final List<Integer> toWarmUp = new ArrayList<>();

    StatefulPlacement(TaskPlan plan, TaskHistory before, TaskStates states) {
        this.plan = plan;
        this.before = before;
        this.states = states;
        for (int task : plan.table.byPartition()) {
            if (plan.table.isStateful(task)) {
                stateful.add(task);
            }
        }
    }

    /**
     * @param warmups most copies to warm up
     */
    void place(int warmups) {
        for (int task : stateful) {
            Seat home = home(task);
            if (home != null) {
                plan.giveActive(home, task);
            }
        }
        for (int task : stateful) {
            if (plan.owner(task) == null) {
                placeHomeless(task);
            }
        }
        level();
        toWarmUp.stream().limit(warmups).forEach(plan::warmUp);
        plan.forgetOrder();
        stateful.forEach(plan::loadRunner);
    }

    /** Where the task shall run or runs, if it may go on there. */
    private @Nullable Seat home(int task) {
        Seat planned = before.active(task);
        Seat runner = states.runner(task);
        boolean mayRun = planned != null && (planned == runner || states.isReady(planned.host, task));
        return mayRun ? planned : runner;
    }

    private void placeHomeless(int task) {
        states.readySeats(task).stream()
                .min(Seat.BY_LOAD)
                .or(() -> withSomeState(task))
                .or(() -> plan.leastLoaded(host -> true))
                .ifPresent(seat -> plan.giveActive(seat, task));
    }

    /** A member with some state, if it has no more than an even share. */
    private Optional<Seat> withSomeState(int task) {
        List<Seat> some = new ArrayList<>();
        add(some, states.mostState(task));
        add(some, before.warmup(task));
        some.addAll(before.standbys(task));
        Seat planned = before.active(task);
        if (planned != null && some.isEmpty()) {
            some.add(planned);
        }
        int share = (stateful.size() + plan.seats.size() - 1) / plan.seats.size();
        return some.stream()
                .filter(seat -> (seat.member.takesNew() || seat == planned) && seat.load < share)
                .findFirst();
    }

    private static void add(List<Seat> some, @Nullable Seat seat) {
        if (seat != null) {
            some.add(seat);
        }
    }

    private void level() {
        Surplus surplus = new Surplus(new EvenSplit(stateful.size(), plan.seats, seat -> seat.load), plan.seats);
        List<Integer> movable = new ArrayList<>(stateful);
        movable.removeIf(task -> !surplus.mayGive(plan.owner(task)));
        Collections.reverse(movable);
        for (int task : movable) {
            move(surplus, task, () -> readyTaker(surplus, task), true);
        }
        for (int task : movable) {
            warm(surplus, task, () -> Optional.ofNullable(before.warmup(task)));
        }
        for (int task : movable) {
            move(surplus, task, () -> restoringTaker(surplus, task), false);
        }
        for (int task : movable) {
            warm(surplus, task, () -> Optional.ofNullable(states.mostState(task)));
        }
        for (int task : movable) {
            warm(surplus, task, () -> plan.leastLoadedSeat(seat -> reports(seat) && surplus.mayTake(seat)));
        }
    }

    /** A member that may run the task at once. */
    private Optional<Seat> readyTaker(Surplus surplus, int task) {
        return states.isReadySomewhere(task)
                ? leastLoaded(states.readySeats(task), surplus::mayTake)
                : plan.leastLoadedSeat(surplus::mayTake);
    }

    /** A member whose standby copy needs no warm-up beside it. */
    private Optional<Seat> restoringTaker(Surplus surplus, int task) {
        return leastLoaded(before.standbys(task), surplus::mayTake);
    }

    private static Optional<Seat> leastLoaded(List<Seat> seats, Predicate<Seat> eligible) {
        Seat least = null;
        for (Seat seat : seats) {
            if (eligible.test(seat) && (least == null || Seat.BY_LOAD.compare(seat, least) < 0)) {
                least = seat;
            }
        }
        return Optional.ofNullable(least);
    }

    private static boolean reports(Seat seat) {
        return seat.member.state().reports();
    }

    private void warm(Surplus surplus, int task, Supplier<Optional<Seat>> taker) {
        if (move(surplus, task, () -> taker.get().filter(StatefulPlacement::reports), false)) {
            toWarmUp.add(task);
        }
    }

    /**
     * Gives a task of somebody who has too many to another member, if there is one with room.
     *
     * @param atOnce whether the new owner may run it at once
     */
    private boolean move(Surplus surplus, int task, Supplier<Optional<Seat>> taker, boolean atOnce) {
        Seat from = plan.owner(task);
        if (from == null || plan.runsElsewhere(task) || !surplus.mayGive(from)) {
            return false;
        }
        Optional<Seat> to = taker.get().filter(surplus::mayTake);
        to.ifPresent(seat -> {
            surplus.take(seat);
            plan.giveActive(seat, task, atOnce ? seat : from);
        });
        return to.isPresent();
    }
}
