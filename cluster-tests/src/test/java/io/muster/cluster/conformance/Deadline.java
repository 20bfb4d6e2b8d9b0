package io.muster.cluster.conformance;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A moment after which a script no longer waits. */
record Deadline(long nanoTime) {
    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    static Deadline inMillis(long millis) {
        return in(Duration.ofMillis(millis));
    }

    boolean isPast() {
        return System.nanoTime() - nanoTime >= 0;
    }

    /** Lets the time pass that a script says lies between two requests: it is part of what is tested. */
    static void pass(long millis) {
        Deadline end = inMillis(millis);
        while (!end.isPast()) {
            LockSupport.parkNanos(end.nanoTime - System.nanoTime());
        }
    }
}
