package io.muster.gateway.coordinator;

import io.muster.core.Command;
import io.muster.rpc.CoordinatorAnswer;
import java.util.function.Consumer;

/**
 * A request on its way to a shard's leader.
 *
 * @param number rises with each request; also its correlation id
 * @param waitUntilNanos until when it may wait for a leader, {@link System#nanoTime()}
 * @param answerUntilNanos until when its answer may take
 * @param answer called once, on any thread; never with {@link CoordinatorAnswer.NotLeader}
 */
record PendingRequest(
        long number, Question asked, long waitUntilNanos, long answerUntilNanos, Consumer<CoordinatorAnswer> answer) {
    /** What is asked. */
    sealed interface Question {
        /** That a command is decided. */
        record Decide(Command command) implements Question {}

        /** The groups of a shard. */
        record ListGroups(int shard) implements Question {}
    }
}
