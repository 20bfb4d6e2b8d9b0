package io.muster.core;

/** A timer to arm or to cancel, once the decision's records are applied. */
public sealed interface TimerChange {
    TimerKey key();

    /**
     * Arms the timer.
     *
     * @param delayMillis milliseconds from now, 0 or more
     * @param epoch given back when it fires
     */
    record Arm(TimerKey key, long delayMillis, int epoch) implements TimerChange {}

    /** Cancels the timer; nothing happens if it is not armed. */
    record Cancel(TimerKey key) implements TimerChange {}
}
