package io.muster.gateway.kafka.order;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** A connection's thread in virtual time: what it is told to run, it runs at once. */
public final class VirtualThread implements ConnectionThread {
    private final TreeMap<Long, Deque<Runnable>> scheduled = new TreeMap<>();
    private long nowNanos;

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public Runnable schedule(Duration delay, Runnable task) {
        Deque<Runnable> then = scheduled.computeIfAbsent(nowNanos + delay.toNanos(), at -> new ArrayDeque<>());
        then.add(task);
        return () -> then.remove(task);
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    /** Lets the time pass, and what is due in it happen. */
    public void advance(Duration by) {
        long end = nowNanos + by.toNanos();
        for (Map.Entry<Long, Deque<Runnable>> next = scheduled.firstEntry();
                next != null && next.getKey() <= end;
                next = scheduled.firstEntry()) {
            nowNanos = next.getKey();
            Runnable task = next.getValue().poll();
            if (task == null) {
                scheduled.remove(next.getKey());
            } else {
                task.run();
            }
        }
        nowNanos = end;
    }

    /** How many tasks wait for their time. */
    public long scheduled() {
        return scheduled.values().stream().mapToLong(Deque::size).sum();
    }
}
