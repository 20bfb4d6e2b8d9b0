package io.muster.core.assignor;

import io.muster.core.Partitions;
import io.muster.core.TaskOffset;
import io.muster.core.assignor.Seat.Host;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the state of each task lies, for all that is known. */
final class TaskStates {
    private final @Nullable Seat[] runners;
    private final @Nullable Seat[] mostState;
    private final List<@Nullable List<Host>> ready;

    TaskStates(TaskTable table, List<Seat> seats) {
        runners = new Seat[table.size()];
        mostState = new Seat[table.size()];
        ready = new ArrayList<>(table.size());
        for (int task = 0; task < table.size(); task++) {
            ready.add(null);
        }
        long[] most = new long[table.size()];
        for (Seat seat : seats) {
            addReady(table, seat.member.state().running(), seat, true);
            addReady(table, seat.member.state().caughtUp(), seat, false);
            for (TaskOffset offset : seat.member.state().offsets()) {
                int task = table.find(offset.subtopologyId(), offset.partition());
                if (task != TaskTable.NONE && offset.offset() > most[task]) {
                    most[task] = offset.offset();
                    mostState[task] = seat;
                }
            }
        }
    }

    private void addReady(TaskTable table, Partitions<String> tasks, Seat seat, boolean running) {
        table.forEach(tasks, task -> {
            addReady(task, seat.host);
            runners[task] = running ? seat : runners[task];
        });
    }

    private void addReady(int task, Host host) {
        List<Host> some = ready.get(task);
        if (some == null) {
            some = new ArrayList<>(2);
            ready.set(task, some);
        }
        if (!some.contains(host)) {
            some.add(host);
        }
    }

    /** The member that runs the task now. */
    @Nullable
    Seat runner(int task) {
        return runners[task];
    }

    /** The member that reported the largest sum of offsets for the task, caught up or not. */
    @Nullable
    Seat mostState(int task) {
        return mostState[task];
    }

    /** Whether any process has the task's state within the acceptable lag. */
    boolean isReadySomewhere(int task) {
        return ready.get(task) != null;
    }

    boolean isReady(Host host, int task) {
        List<Host> some = ready.get(task);
        return some != null && some.contains(host);
    }

    /** Of each process that has the task's state within the acceptable lag, the least loaded member that takes new tasks. */
    List<Seat> readySeats(int task) {
        List<Host> some = ready.get(task);
        if (some == null) {
            return List.of();
        }
        List<Seat> seats = new ArrayList<>(some.size());
        for (Host host : some) {
            if (host.hasTakers()) {
                seats.add(host.takers().first());
            }
        }
        return seats;
    }
}
