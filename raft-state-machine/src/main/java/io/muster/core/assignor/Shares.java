package io.muster.core.assignor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * An even split of a number of tasks: all members get equal shares, and some one more, as many as the division leaves over. What
 * members that take nothing new leave of their shares goes to the others; if all take nothing new, each keeps what it has.
 */
final class Shares {
    private final boolean[] settled;
    private int share;
    private int larger;

    /**
     * @param total the tasks to split
     * @param had how many of them a member had, all that it can get if it takes nothing new
     */
    Shares(int total, List<Seat> seats, ToIntFunction<Seat> had) {
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

    /** Whether the member may have one more than its load. */
    boolean isLeft(Seat seat) {
        return settled[seat.index] || seat.load < share || (seat.load == share && larger > 0);
    }

    /** Counts that the member is about to get one more. */
    void take(Seat seat) {
        if (!settled[seat.index] && seat.load == share) {
            larger--;
        }
    }
}
