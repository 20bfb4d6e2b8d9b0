package io.muster.gateway.upstream;

import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/** The longest session timeout that upstream takes; found out once and remembered. Any thread. */
final class SessionTimeouts {
    private static final int[] LADDER_MILLIS = {1_800_000, 1_200_000, 300_000, 60_000, 30_000};

    private final AtomicInteger mostMillis = new AtomicInteger(Integer.MAX_VALUE);

    /** What to ask for when {@code wantedMillis} is wanted. */
    int atMost(int wantedMillis) {
        return Math.min(wantedMillis, mostMillis.get());
    }

    /** The next shorter timeout, remembered from now on; empty if there is none. */
    OptionalInt refused(int millis) {
        for (int step : LADDER_MILLIS) {
            if (step < millis) {
                mostMillis.accumulateAndGet(step, Math::min);
                return OptionalInt.of(step);
            }
        }
        return OptionalInt.empty();
    }
}
