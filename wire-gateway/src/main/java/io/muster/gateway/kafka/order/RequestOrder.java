package io.muster.gateway.kafka.order;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Begins the requests of one connection when those before them are far enough, as {@link Concern} says. Used on the connection's
 * thread only.
 *
 * <p>No request waits for ever: at its deadline it begins although earlier ones are not answered, or is refused, as it chooses; a
 * heartbeat does not even wait that long. It never begins before an earlier one that it waits for has begun.
 */
public final class RequestOrder {
    /** A request that waits for its turn. */
    public interface Request {
        /** Its turn has come. Must not fail. */
        Begun begin();

        /** Its turn did not come in time: it begins all the same, or is refused. Must not fail. */
        Begun beginLate();
    }

    /**
     * A request that has begun.
     *
     * @param passed whether it went upstream as it is
     * @param done completes, in whatever way and on whatever thread, when the request has taken effect or never will
     */
    public record Begun(boolean passed, CompletableFuture<?> done) {}

    private final ConnectionThread thread;
    private final Duration heartbeatPatience;
    private final Runnable whenEmpty;
    private final Set<Entry> unfinished = new LinkedHashSet<>();
    private final Deque<Entry> ready = new ArrayDeque<>();
    private boolean beginning;

    /**
     * @param heartbeatPatience how long heartbeats wait for earlier requests that have begun, well below the shortest session timeout;
     *     those by which members leave wait as long as all other requests, until their deadline
     * @param whenEmpty runs each time when the last request under way is done
     */
    public RequestOrder(ConnectionThread thread, Duration heartbeatPatience, Runnable whenEmpty) {
        this.thread = thread;
        this.heartbeatPatience = heartbeatPatience;
        this.whenEmpty = whenEmpty;
    }

    /**
     * Takes the next request of the connection; it begins at once if it waits for nothing.
     *
     * @param deadlineNanos until when it waits for earlier ones that have begun, on the thread's clock
     */
    public void enter(Concern concern, long deadlineNanos, Request request) {
        Entry entry = new Entry(concern, deadlineNanos, request);
        for (Entry earlier : unfinished) {
            if (entry.mustWaitFor(earlier)) {
                entry.waitsFor.add(earlier);
                earlier.waiting.add(entry);
            }
        }
        unfinished.add(entry);
        if (entry.waitsFor.isEmpty()) {
            ready.add(entry);
            beginReady();
        } else {
            arm(entry);
        }
    }

    /** Whether no request waits or is under way. */
    public boolean isEmpty() {
        return unfinished.isEmpty();
    }

    /** The latest deadline of the requests that still wait for their turn, on the thread's clock; empty if none waits. */
    public OptionalLong latestDeadlineNanos() {
        return unfinished.stream()
                .filter(entry -> !entry.begun)
                .mapToLong(entry -> entry.deadlineNanos)
                .max();
    }

    private void arm(Entry entry) {
        Duration left = Duration.ofNanos(Math.max(0, entry.deadlineNanos - thread.nanoTime()));
        boolean sooner = entry.concern.keepsMemberAlive() && heartbeatPatience.compareTo(left) < 0;
        entry.alarm = Optional.of(thread.schedule(sooner ? heartbeatPatience : left, () -> alarmed(entry)));
    }

    private void alarmed(Entry entry) {
        entry.alarm = Optional.empty();
        if (entry.waitsForBegunOnesOnly()) {
            beginLate(entry);
            beginReady();
        } else if (thread.nanoTime() < entry.deadlineNanos) {
            arm(entry);
        } else {
            entry.overdue = true;
        }
    }

    private void beginLate(Entry entry) {
        entry.waitsFor.forEach(earlier -> earlier.waiting.remove(entry));
        entry.waitsFor.clear();
        entry.late = true;
        ready.add(entry);
    }

    private void beginReady() {
        if (beginning) {
            return;
        }
        beginning = true;
        try {
            for (Entry entry = ready.poll(); entry != null; entry = ready.poll()) {
                begin(entry);
            }
        } finally {
            beginning = false;
        }
    }

    private void begin(Entry entry) {
        entry.alarm.ifPresent(Runnable::run);
        entry.begun = true;
        Begun begun = entry.late ? entry.request.beginLate() : entry.request.begin();
        if (begun.done().isDone()) {
            finished(entry);
            return;
        }
        entry.passed = begun.passed();
        if (!entry.waiting.isEmpty()) {
            releaseThoseThatWaitedForTheBeginning(entry);
        }
        var unused = begun.done()
                .whenComplete((value, failure) -> thread.execute(() -> {
                    finished(entry);
                    beginReady();
                }));
    }

    private void releaseThoseThatWaitedForTheBeginning(Entry entry) {
        List.copyOf(entry.waiting).stream()
                .filter(later -> !later.mustWaitFor(entry))
                .forEach(later -> release(later, entry));
        List.copyOf(entry.waiting).stream()
                .filter(later -> later.overdue && later.waitsForBegunOnesOnly())
                .forEach(this::beginLate);
    }

    private void finished(Entry entry) {
        unfinished.remove(entry);
        if (!entry.waiting.isEmpty()) {
            List.copyOf(entry.waiting).forEach(later -> release(later, entry));
        }
        if (unfinished.isEmpty()) {
            whenEmpty.run();
        }
    }

    private void release(Entry later, Entry earlier) {
        earlier.waiting.remove(later);
        later.waitsFor.remove(earlier);
        if (later.waitsFor.isEmpty()) {
            ready.add(later);
        }
    }

    /** A request from its arrival until it is done. */
    private static final class Entry {
        private final Concern concern;
        private final long deadlineNanos;
        private final Request request;
        private final List<Entry> waitsFor = new ArrayList<>();
        private final List<Entry> waiting = new ArrayList<>();
        private Optional<Runnable> alarm = Optional.empty();
        private boolean begun;
        private boolean overdue;
        private boolean late;
        private boolean passed;

        Entry(Concern concern, long deadlineNanos, Request request) {
            this.concern = concern;
            this.deadlineNanos = deadlineNanos;
            this.request = request;
        }

        boolean waitsForBegunOnesOnly() {
            return waitsFor.stream().allMatch(earlier -> earlier.begun);
        }

        /** Upstream keeps the order of requests that go to it as they are. */
        boolean mustWaitFor(Entry earlier) {
            return switch (concern.waitFor(earlier.concern)) {
                case NOT -> false;
                case UNTIL_BEGUN -> !earlier.begun;
                case UNTIL_DONE -> !(concern.passes() && earlier.passed);
            };
        }
    }
}
