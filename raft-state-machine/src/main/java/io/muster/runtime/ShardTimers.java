package io.muster.runtime;

import io.muster.core.TimerKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The armed timers of a shard. Arming again to a later time costs no queue operation, since that is what every heartbeat does to
 * a session. Timers of one instant fire in the order in which they were first armed. Confined to the shard's thread.
 */
final class ShardTimers {
    /** One armed timer. */
    private static final class Armed {
        private final TimerId id;
        private final int epoch;
        private final long delayMillis;
        private final long order;
        private long dueMillis;
        private boolean cancelled;
        /** Where it stands in the queue; at or before {@link #dueMillis}. */
        private long queuedMillis;

        Armed(TimerId id, int epoch, long delayMillis, long order, long dueMillis) {
            this.id = id;
            this.epoch = epoch;
            this.delayMillis = delayMillis;
            this.order = order;
            this.dueMillis = dueMillis;
            this.queuedMillis = dueMillis;
        }
    }

    /** A timer that is due. */
    record Due(TimerId id, int epoch) {}

    private final Map<String, Map<TimerKey, Armed>> armed = new HashMap<>();
    private final PriorityQueue<Armed> queue = new PriorityQueue<>(
            Comparator.<Armed>comparingLong(timer -> timer.queuedMillis).thenComparingLong(timer -> timer.order));
    private long lastOrder;

    /** Arms a timer, or arms it anew. */
    void arm(TimerId id, long nowMillis, long delayMillis, int epoch) {
        long due = nowMillis + delayMillis;
        Map<TimerKey, Armed> ofGroup = armed.computeIfAbsent(id.groupId(), groupId -> new HashMap<>());
        Armed current = ofGroup.get(id.key());
        if (current != null && current.epoch == epoch && current.delayMillis == delayMillis) {
            current.dueMillis = due;
            return;
        }
        if (current != null) {
            current.cancelled = true;
        }
        Armed timer = new Armed(id, epoch, delayMillis, ++lastOrder, due);
        ofGroup.put(id.key(), timer);
        queue.add(timer);
    }

    void cancel(TimerId id) {
        Map<TimerKey, Armed> ofGroup = armed.get(id.groupId());
        Armed timer = ofGroup == null ? null : ofGroup.remove(id.key());
        if (timer != null) {
            timer.cancelled = true;
        }
        if (ofGroup != null && ofGroup.isEmpty()) {
            armed.remove(id.groupId());
        }
    }

    /** Cancels all timers of a group. */
    void cancelAll(String groupId) {
        Map<TimerKey, Armed> ofGroup = armed.remove(groupId);
        if (ofGroup != null) {
            ofGroup.values().forEach(timer -> timer.cancelled = true);
        }
    }

    /** Takes out the timers that are due; those for which {@code held} answers true stay and are due again next time. */
    List<Due> takeDue(long nowMillis, Predicate<TimerId> held) {
        List<Due> due = new ArrayList<>();
        List<Armed> again = new ArrayList<>();
        while (!queue.isEmpty() && queue.peek().queuedMillis <= nowMillis) {
            Armed timer = queue.remove();
            if (timer.cancelled) {
                continue;
            }
            if (timer.dueMillis > nowMillis || held.test(timer.id)) {
                timer.queuedMillis = Math.max(timer.dueMillis, nowMillis);
                again.add(timer);
            } else {
                cancel(timer.id);
                due.add(new Due(timer.id, timer.epoch));
            }
        }
        queue.addAll(again);
        return due;
    }

    /** Gives every timer its full delay again, from now. */
    void restartAll(long nowMillis) {
        queue.clear();
        armed.values()
                .forEach(ofGroup -> ofGroup.values().forEach(timer -> {
                    timer.dueMillis = nowMillis + timer.delayMillis;
                    timer.queuedMillis = timer.dueMillis;
                    queue.add(timer);
                }));
    }

    /** When to look again, monotonic milliseconds; {@link Long#MAX_VALUE} if nothing is armed. */
    long nextMillis() {
        return queue.isEmpty() ? Long.MAX_VALUE : queue.peek().queuedMillis;
    }

    void clear() {
        armed.clear();
        queue.clear();
    }
}
