package io.muster.gateway.netty;

import io.muster.gateway.upstream.ReadGate;
import io.muster.gateway.upstream.ReadGate.PauseReason;

/** Reads from a client only while upstream takes more and not too many of its requests are unanswered. */
final class BackPressure {
    private final ReadGate gate;
    private final int maxInFlight;
    private boolean full;

    BackPressure(ReadGate gate, int maxInFlight) {
        this.gate = gate;
        this.maxInFlight = maxInFlight;
    }

    void upstreamWritable(boolean writable) {
        gate.close(PauseReason.UPSTREAM_FULL, !writable);
    }

    /** Full at the limit, and until half of it is answered. */
    void inFlight(int requests) {
        full = full ? requests > maxInFlight / 2 : requests >= maxInFlight;
        gate.close(PauseReason.TOO_MANY_REQUESTS, full);
    }
}
