package io.muster.core.assignor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who has more tasks than its even share, and who has room; some may have one more, first those who have more already. */
final class Surplus {
    private final EvenSplit split;
    private final boolean[] mayHaveMore;
    private int larger;

    /** Starts from the loads that the seats have already. */
    Surplus(EvenSplit split, List<Seat> seats) {
        this.split = split;
        larger = split.larger();
        mayHaveMore = new boolean[seats.size()];
        for (Seat seat : seats) {
            if (!split.isSettled(seat) && seat.load > split.share() && larger > 0) {
                mayHaveMore[seat.index] = true;
                larger--;
            }
        }
    }

    boolean mayGive(@Nullable Seat seat) {
        return seat != null && !split.isSettled(seat) && seat.load > split.share() + (mayHaveMore[seat.index] ? 1 : 0);
    }

    boolean mayTake(Seat seat) {
        return seat.member.takesNew() && (seat.load < split.share() || (seat.load == split.share() && larger > 0));
    }

    /** Counts that the seat is about to get one more. */
    void take(Seat seat) {
        if (seat.load == split.share()) {
            mayHaveMore[seat.index] = true;
            larger--;
        }
    }
}
