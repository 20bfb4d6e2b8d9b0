package io.muster.gateway.kafka.offsets;

import io.muster.core.Command;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.kafka.order.ConnectionThread;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Asks the coordinator again while it refuses for a reason that passes: its shard has no leader or a new one, or the group is being
 * claimed. The coordinator itself waits for these, so that an answer is late by no more than a pause. For commands that may be
 * decided twice. Any thread.
 */
final class PatientCoordinator {
    private static final Set<GroupError> PASSES = EnumSet.of(
            GroupError.NOT_COORDINATOR, GroupError.COORDINATOR_NOT_AVAILABLE, GroupError.COORDINATOR_LOAD_IN_PROGRESS);
    private static final Response UNAVAILABLE =
            new Response.Refused(GroupError.COORDINATOR_NOT_AVAILABLE, "The coordinator could not be asked.");
    private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(20).toNanos();
    private static final int MOST_DOUBLINGS = 6;

    private final GroupCoordinator coordinator;
    private final ConnectionThread thread;

    PatientCoordinator(GroupCoordinator coordinator, ConnectionThread thread) {
        this.coordinator = coordinator;
        this.thread = thread;
    }

    /** The thread's clock. */
    long nanoTime() {
        return thread.nanoTime();
    }

    /** Whether a request is tried again no more. */
    boolean isOver(long deadlineNanos) {
        return thread.nanoTime() >= deadlineNanos;
    }

    /** Asks once; the answer may never come. */
    CompletableFuture<Response> tell(Command command) {
        return coordinator.ask(command);
    }

    /**
     * The coordinator's answer, its last refusal if that is all that came until the deadline; never exceptional. It is asked once in
     * any case.
     *
     * @param deadlineNanos on the thread's clock
     */
    CompletableFuture<Response> ask(Command command, long deadlineNanos) {
        return ask(() -> command, deadlineNanos, 0);
    }

    /**
     * The same.
     *
     * @param command made anew for each try
     */
    CompletableFuture<Response> ask(Supplier<? extends Command> command, long deadlineNanos) {
        return ask(command, deadlineNanos, 0);
    }

    /** Runs a task after the pause that belongs to so many tries; at once if that is none. */
    void pause(int tries, Runnable task) {
        if (tries == 0) {
            task.run();
        } else {
            var unused = thread.schedule(Duration.ofNanos(pauseNanos(tries - 1)), task);
        }
    }

    static boolean passes(Response response) {
        if (response instanceof Response.CommitRefused refused) {
            return refused.claimed() && PASSES.contains(refused.error());
        }
        return response instanceof Response.Refused other && PASSES.contains(other.error());
    }

    private CompletableFuture<Response> ask(Supplier<? extends Command> command, long deadlineNanos, int refusals) {
        long nextNanos = thread.nanoTime() + pauseNanos(refusals);
        return coordinator
                .ask(command.get())
                .exceptionally(failure -> UNAVAILABLE)
                .thenCompose(response -> passes(response) && nextNanos < deadlineNanos && !isOver(deadlineNanos)
                        ? askLater(command, deadlineNanos, refusals + 1, nextNanos)
                        : CompletableFuture.completedFuture(response));
    }

    private CompletableFuture<Response> askLater(
            Supplier<? extends Command> command, long deadlineNanos, int refusals, long atNanos) {
        Duration pause = Duration.ofNanos(Math.max(0, atNanos - thread.nanoTime()));
        CompletableFuture<Void> paused = new CompletableFuture<>();
        var unused = thread.schedule(pause, () -> paused.complete(null));
        return paused.thenCompose(over -> ask(command, deadlineNanos, refusals));
    }

    private static long pauseNanos(int refusals) {
        return FIRST_PAUSE_NANOS << Math.min(refusals, MOST_DOUBLINGS);
    }
}
