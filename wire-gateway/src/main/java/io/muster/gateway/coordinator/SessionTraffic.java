package io.muster.gateway.coordinator;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What was sent by one session and is not answered, and how much more may be. Any thread; no lock. */
final class SessionTraffic {
    private final NodeSession session;
    private final int maxInFlight;
    private final AtomicInteger places = new AtomicInteger();
    private final Map<Long, PendingRequest> inFlight = new ConcurrentHashMap<>();

    SessionTraffic(NodeSession session, int maxInFlight) {
        this.session = session;
        this.maxInFlight = maxInFlight;
    }

    NodeSession session() {
        return session;
    }

    /** Takes a place for a request if the session has one; {@link #remove} gives it back. */
    boolean tryAdd(PendingRequest request) {
        if (!session.isReady()) {
            return false;
        }
        if (places.incrementAndGet() > maxInFlight) {
            places.decrementAndGet();
            return false;
        }
        inFlight.put(request.number(), request);
        return true;
    }

    /** The request of this number, which is in flight no longer; null if it was not. */
    @Nullable
    PendingRequest remove(long number) {
        PendingRequest request = inFlight.remove(number);
        if (request != null) {
            places.decrementAndGet();
        }
        return request;
    }

    /** All that are in flight, in no order; may be removed meanwhile. */
    Iterable<PendingRequest> all() {
        return inFlight.values();
    }
}
