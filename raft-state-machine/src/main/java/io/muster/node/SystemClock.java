package io.muster.node;

import io.muster.runtime.Clock;
import java.util.concurrent.TimeUnit;

/** The machine's clock. */
final class SystemClock implements Clock {
    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public long monotonicMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }
}
