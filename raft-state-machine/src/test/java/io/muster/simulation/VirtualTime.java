package io.muster.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Time that passes only when something happens, and chance that comes from a seed. */
final class VirtualTime {
    private record Event(long atMillis, long order, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atMillis).thenComparingLong(Event::order));
    private final Random random;
    private long now = 1_000_000;
    private long order;
    private final boolean traced = Boolean.getBoolean("simulation.trace");
    private boolean calm;
    private @Nullable AssertionError failure;

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
            if (failure != null) {
                throw failure;
            }
        }
        now = end;
    }

    /** Ends the run once the event that is under way is over: from where nobody would see an exception. */
    void fail(AssertionError found) {
        failure = failure == null ? found : failure;
    }

    /** Prints a line of the life, for whoever looks into one seed: {@code -Dsimulation.trace=true}. */
    void trace(String pattern, Object... values) {
        if (traced) {
            System.out.printf("%8d %s%n", now, String.format(pattern, values));
        }
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
