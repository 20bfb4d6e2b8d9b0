package io.muster.runtime;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The armed timers of a shard, by key. Arming again to a later time costs no queue operation, since that is what every heartbeat
 * does to a session. Confined to the shard's thread.
 */
final class ShardTimers<K> {
    /** One armed timer. */
    private static final class Armed<K> {
        private final K key;
        private final int epoch;
        private final long delayMillis;
        private long dueMillis;
        private boolean cancelled;
        /** Where it stands in the queue; at or before {@link #dueMillis}. */
        private long queuedMillis;

        Armed(K key, int epoch, long delayMillis, long dueMillis) {
            this.key = key;
            this.epoch = epoch;
            this.delayMillis = delayMillis;
            this.dueMillis = dueMillis;
            this.queuedMillis = dueMillis;
        }
    }

    /** A timer that is due. */
    record Due<K>(K key, int epoch) {}

    private final Map<K, Armed<K>> armed = new HashMap<>();
    private final PriorityQueue<Armed<K>> queue =
            new PriorityQueue<>(Comparator.comparingLong(timer -> timer.queuedMillis));

    /** Arms {@code key}, or arms it anew. */
    void arm(K key, long nowMillis, long delayMillis, int epoch) {
        long due = nowMillis + delayMillis;
        Armed<K> current = armed.get(key);
        if (current != null && current.epoch == epoch && current.delayMillis == delayMillis) {
            current.dueMillis = due;
            return;
        }
        cancel(key);
        Armed<K> timer = new Armed<>(key, epoch, delayMillis, due);
        armed.put(key, timer);
        queue.add(timer);
    }

    void cancel(K key) {
        Armed<K> timer = armed.remove(key);
        if (timer != null) {
            timer.cancelled = true;
        }
    }

    void cancelIf(Predicate<K> condition) {
        armed.entrySet().removeIf(entry -> {
            if (condition.test(entry.getKey())) {
                entry.getValue().cancelled = true;
                return true;
            }
            return false;
        });
    }

    /** Takes out the timers that are due; those for which {@code held} answers true stay and are due again next time. */
    List<Due<K>> takeDue(long nowMillis, Predicate<K> held) {
        List<Due<K>> due = new ArrayList<>();
        List<Armed<K>> again = new ArrayList<>();
        while (!queue.isEmpty() && queue.peek().queuedMillis <= nowMillis) {
            Armed<K> timer = queue.remove();
            if (timer.cancelled) {
                continue;
            }
            if (timer.dueMillis > nowMillis || held.test(timer.key)) {
                timer.queuedMillis = Math.max(timer.dueMillis, nowMillis);
                again.add(timer);
            } else {
                armed.remove(timer.key);
                due.add(new Due<>(timer.key, timer.epoch));
            }
        }
        queue.addAll(again);
        return due;
    }

    /** Gives every timer its full delay again, from now. */
    void restartAll(long nowMillis) {
        queue.clear();
        armed.values().forEach(timer -> {
            timer.dueMillis = nowMillis + timer.delayMillis;
            timer.queuedMillis = timer.dueMillis;
            queue.add(timer);
        });
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
