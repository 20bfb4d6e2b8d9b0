package io.muster.runtime;

/** Runs work on the shard's thread later; virtual in the simulation. */
public interface TimerService {
    /**
     * Runs {@code task} on the shard's thread, as soon as it is free.
     */
    void execute(Runnable task);

    /** Runs {@code task} on the shard's thread in {@code delayMillis} milliseconds or a little later. */
    void schedule(Runnable task, long delayMillis);

    /** Runs {@code task} in {@code delayMillis} milliseconds on a thread that is never busy; it has to be short. */
    void scheduleAside(Runnable task, long delayMillis);

    /** Runs {@code task} on some other thread: for scans that would hold up the decisions. */
    void executeAside(Runnable task);
}
