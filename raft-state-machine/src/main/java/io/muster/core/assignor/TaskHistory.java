package io.muster.core.assignor;

import io.muster.core.Partitions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who had which task in the last target. */
final class TaskHistory {
    private final @Nullable Seat[] active;
    private final List<@Nullable List<Seat>> standbys;
    private final @Nullable Seat[] warmup;

    private final int[] activeCounts;
    private final int[] statelessCounts;

    TaskHistory(TaskTable table, List<Seat> seats) {
        active = new Seat[table.size()];
        warmup = new Seat[table.size()];
        standbys = new ArrayList<>(table.size());
        for (int task = 0; task < table.size(); task++) {
            standbys.add(null);
        }
        activeCounts = new int[seats.size()];
        statelessCounts = new int[seats.size()];
        for (Seat seat : seats) {
            activeCounts[seat.index] = put(table, seat.member.previous().active(), active, seat);
            put(table, seat.member.previous().warmup(), warmup, seat);
            table.forEach(seat.member.previous().standby(), task -> addStandby(task, seat));
        }
        for (int task = 0; task < table.size(); task++) {
            Seat owner = active[task];
            if (owner != null && !table.isStateful(task)) {
                statelessCounts[owner.index]++;
            }
        }
    }

    /** How many tasks, of those that exist, the member ran. */
    int activeCount(Seat seat) {
        return activeCounts[seat.index];
    }

    /** How many tasks without state, of those that exist, the member ran. */
    int statelessCount(Seat seat) {
        return statelessCounts[seat.index];
    }

    private static int put(TaskTable table, Partitions<String> tasks, @Nullable Seat[] places, Seat seat) {
        int[] count = {0};
        table.forEach(tasks, task -> {
            places[task] = seat;
            count[0]++;
        });
        return count[0];
    }

    private void addStandby(int task, Seat seat) {
        List<Seat> some = standbys.get(task);
        if (some == null) {
            some = new ArrayList<>(2);
            standbys.set(task, some);
        }
        some.add(seat);
    }

    @Nullable
    Seat active(int task) {
        return active[task];
    }

    @Nullable
    Seat warmup(int task) {
        return warmup[task];
    }

    /** Members that had a standby copy, in the order of their ids. */
    List<Seat> standbys(int task) {
        List<Seat> some = standbys.get(task);
        return some == null ? List.of() : some;
    }
}
