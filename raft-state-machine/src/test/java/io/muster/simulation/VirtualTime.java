package io.muster.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/** Time that passes only when something happens, and chance that comes from a seed. */
final class VirtualTime {
    private record Event(long atMillis, long order, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atMillis).thenComparingLong(Event::order));
    private final Random random;
    private long now = 1_000_000;
    private long order;
    private boolean calm;

    VirtualTime(long seed) {
        this.random = new Random(seed);
    }

    long now() {
        return now;
    }

    void after(long delayMillis, Runnable action) {
        events.add(new Event(now + delayMillis, order++, action));
    }

    /** Runs what is due within this time. */
    void run(long millis) {
        long end = now + millis;
        while (!events.isEmpty() && events.peek().atMillis() <= end) {
            Event event = events.remove();
            now = event.atMillis();
            event.action().run();
        }
        now = end;
    }

    boolean isCalm() {
        return calm;
    }

    /** From 0 to {@code bound - 1}. */
    int pick(int bound) {
        return random.nextInt(bound);
    }

    /** Nothing goes wrong any more. */
    void calmDown() {
        calm = true;
    }

    /** Whether something that happens now and then happens this time; never once it is calm. */
    boolean chance(int percent) {
        return !calm && random.nextInt(100) < percent;
    }
}
