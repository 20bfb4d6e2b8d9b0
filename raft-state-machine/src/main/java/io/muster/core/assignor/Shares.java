package io.muster.core.assignor;

import java.util.List;

/** Whose even share of the tasks is not used up while tasks are given. */
final class Shares {
    private final EvenSplit split;
    private int larger;

    /** Starts from the loads that the seats have already. */
    Shares(EvenSplit split, List<Seat> seats) {
        this.split = split;
        larger = split.larger();
        for (Seat seat : seats) {
            if (!split.isSettled(seat) && seat.load > split.share()) {
                larger--;
            }
        }
    }

    /** Whether the member may have one more than its load. */
    boolean isLeft(Seat seat) {
        return split.isSettled(seat) || seat.load < split.share() || (seat.load == split.share() && larger > 0);
    }

    /** Counts that the member is about to get one more. */
    void take(Seat seat) {
        if (!split.isSettled(seat) && seat.load == split.share()) {
            larger--;
        }
    }
}
