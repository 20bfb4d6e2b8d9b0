package io.muster.runtime;

/**
 * Sees when the machine or the process stood still, by ticks of a thread that does nothing else: a thread that is busy is no
 * machine that slept. Any thread.
 */
final class StandstillWatch {
    static final long TICK_MILLIS = 500;
    private static final long STANDSTILL_MILLIS = 2_000;

    private final Clock clock;
    private final TimerService service;
    private final Runnable wokeUp;
    private long lastTickMillis;
    private int standstills;
    private int run;

    /** @param wokeUp called on the ticking thread once a standstill is over */
    StandstillWatch(Clock clock, TimerService service, Runnable wokeUp) {
        this.clock = clock;
        this.service = service;
        this.wokeUp = wokeUp;
        this.lastTickMillis = clock.monotonicMillis();
    }

    /** Watches from now on. On the shard's thread, as {@link #stop}. */
    synchronized void start() {
        run++;
        lastTickMillis = clock.monotonicMillis();
        tickLater();
    }

    synchronized void stop() {
        run++;
    }

    /**
     * Whether so long no tick came that the machine may have stood still: what the clock shows is not to be acted on before the
     * next tick has told.
     */
    synchronized boolean isDoubtful(long nowMillis) {
        return nowMillis - lastTickMillis > TICK_MILLIS + STANDSTILL_MILLIS;
    }

    /** How many standstills were seen so far; counts once {@link #isDoubtful} is false. */
    synchronized int standstills() {
        return standstills;
    }

    private void tickLater() {
        int ofRun = run;
        service.scheduleAside(
                () -> {
                    if (tick(ofRun)) {
                        wokeUp.run();
                    }
                },
                TICK_MILLIS);
    }

    /** Returns whether the machine stood still before this tick. */
    private synchronized boolean tick(int ofRun) {
        if (ofRun != run) {
            return false;
        }
        long now = clock.monotonicMillis();
        boolean stoodStill = isDoubtful(now);
        standstills += stoodStill ? 1 : 0;
        lastTickMillis = now;
        tickLater();
        return stoodStill;
    }
}
