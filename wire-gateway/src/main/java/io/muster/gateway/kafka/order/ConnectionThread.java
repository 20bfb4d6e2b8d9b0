package io.muster.gateway.kafka.order;

import java.time.Duration;
import java.util.concurrent.Executor;

/** The one thread that handles a connection, and its clock. */
public interface ConnectionThread extends Executor {
    /**
     * Runs a task on this thread once the delay is over.
     *
     * @return cancels it; does nothing once it has run
     */
    Runnable schedule(Duration delay, Runnable task);

    /** A clock that only goes forward, in nanoseconds from an arbitrary point. */
    long nanoTime();
}
