package io.muster.core.assignor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * An even split of a number of tasks: all members get equal shares, and some one more, as many as the division leaves over. What
 * members that take nothing new leave of their shares goes to the others; if all take nothing new, each keeps what it has.
 */
final class EvenSplit {
    private final boolean[] settled;
    private final int share;
    private final int larger;

    /**
     * @param total the tasks to split
     * @param had how many of them a member had, all that it can get if it takes nothing new
     */
    EvenSplit(int total, List<Seat> seats, ToIntFunction<Seat> had) {
        settled = new boolean[seats.size()];
        List<Seat> bound = new ArrayList<>();
        for (Seat seat : seats) {
            if (!seat.member.takesNew()) {
                bound.add(seat);
            }
        }
        int left = total;
        int open = seats.size();
        bound.sort(Comparator.comparingInt(had).thenComparingInt(seat -> seat.index));
        for (Seat seat : bound) {
            int limit = had.applyAsInt(seat);
            settled[seat.index] = bound.size() == seats.size() || limit <= left / open;
            if (settled[seat.index] && open > 1) {
                left -= limit;
                open--;
            }
        }
        share = left / open;
        larger = left % open;
    }

    /** Whether the member has its share whatever it keeps, since it had no more than that and takes nothing new. */
    boolean isSettled(Seat seat) {
        return settled[seat.index];
    }

    int share() {
        return share;
    }

    /** How many members get one more than the share. */
    int larger() {
        return larger;
    }
}
