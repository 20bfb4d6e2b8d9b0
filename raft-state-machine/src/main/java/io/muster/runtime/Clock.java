package io.muster.runtime;

/** The time as the runtime sees it; virtual in the simulation. */
public interface Clock {
    /** Milliseconds since 1970; may jump. For what people read. */
    long wallMillis();

    /** Milliseconds from an arbitrary origin; never goes back. For whatever is compared. */
    long monotonicMillis();
}
