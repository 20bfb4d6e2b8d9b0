package io.muster.gateway.kafka.permissions;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * When the broker is asked again about what it has allowed.
 *
 * @param interval the longest time that an answer counts; clients do not ask all at once, so that it is up to a quarter shorter
 * @param random 0 to 1
 */
public record PermissionRefresh(Duration interval, LongSupplier nanoClock, DoubleSupplier random) {
    private static final double JITTER = 0.25;
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

    /** On the clock of the machine. */
    public static PermissionRefresh every(Duration interval) {
        return new PermissionRefresh(
                interval, System::nanoTime, () -> ThreadLocalRandom.current().nextDouble());
    }

    long afterAnswer(long nowNanos) {
        return nowNanos + (long) (interval.toNanos() * (1 - JITTER * random.getAsDouble()));
    }

    /** A broker that did not answer is asked again soon, but not by each heartbeat. */
    long afterFailure(long nowNanos) {
        return nowNanos + Math.min(interval.toNanos(), AFTER_FAILURE.toNanos());
    }
}
