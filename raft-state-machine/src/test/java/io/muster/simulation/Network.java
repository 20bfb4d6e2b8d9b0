package io.muster.simulation;

import java.util.HashMap;
import java.util.Map;

/** Carries messages between the nodes: late, in no order, or not at all while a link is cut. */
final class Network {
    private final VirtualTime time;
    private final Map<Integer, Long> cutUntil = new HashMap<>();

    Network(VirtualTime time) {
        this.time = time;
    }

    void send(int from, int to, Runnable delivery) {
        if (isCut(from, to) || time.chance(1)) {
            return;
        }
        long delay = time.chance(3) ? time.pick(400) : 1 + time.pick(4);
        time.after(delay, () -> {
            if (!isCut(from, to)) {
                delivery.run();
            }
        });
    }

    /** Cuts a link in one direction. */
    void cut(int from, int to, long millis) {
        cutUntil.merge(link(from, to), time.now() + millis, Math::max);
    }

    private boolean isCut(int from, int to) {
        return !time.isCalm() && cutUntil.getOrDefault(link(from, to), 0L) > time.now();
    }

    private static int link(int from, int to) {
        return from * 10 + to;
    }
}
