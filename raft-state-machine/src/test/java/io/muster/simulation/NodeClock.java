package io.muster.simulation;

import io.muster.runtime.Clock;

/**
 * The clocks of one node: its wall clock is minutes off and jumps, its monotonic clock begins somewhere. Both go on while the node
 * is stopped, and while a decision takes its time.
 */
final class NodeClock implements Clock {
    private static final int MOST_OFF_MILLIS = 15 * 60_000;

    private final VirtualTime time;
    private final long origin;
    private long offset;
    private long spent;

    NodeClock(VirtualTime time) {
        this.time = time;
        this.origin = time.pick(1_000_000);
        jump();
    }

    /** Somebody sets the wall clock. */
    void jump() {
        offset = time.pick(2 * MOST_OFF_MILLIS) - (long) MOST_OFF_MILLIS;
    }

    /** A task begins. */
    void begin() {
        spent = 0;
    }

    /** The task that runs takes this long. */
    void spend(long millis) {
        spent += millis;
    }

    /** How long the task that runs has taken; 0 between tasks. */
    long spent() {
        return spent;
    }

    @Override
    public long wallMillis() {
        return 1_000_000_000L + time.now() + spent + offset;
    }

    @Override
    public long monotonicMillis() {
        return origin + time.now() + spent;
    }
}
