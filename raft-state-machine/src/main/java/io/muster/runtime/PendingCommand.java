package io.muster.runtime;

import io.muster.core.Arrival;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.GroupError;
import io.muster.core.InternalCommand;
import io.muster.core.Response;
import java.util.concurrent.CompletableFuture;

/**
 * A command that is not answered yet.
 *
 * @param arrivedAtMillis monotonic time of its arrival
 * @param patienceEndsMillis monotonic time from which it may wait no longer
 */
record PendingCommand(
        Command command,
        long arrivedAtMillis,
        long patienceEndsMillis,
        String freshId,
        CompletableFuture<Response> answer) {

    Arrival arrival(long monotonicMillis) {
        return new Arrival(command, arrivedAtMillis, freshId, monotonicMillis < patienceEndsMillis);
    }

    /** Whether who sent it goes by the answer: what Muster tells a group itself is not heard of again. */
    boolean isAnswerRead() {
        return !(command instanceof InternalCommand || command instanceof CommitCommand.Settled);
    }

    void answer(Response response) {
        answer.complete(response);
    }

    void refuse(GroupError error, String message) {
        answer.complete(new Response.Refused(error, message));
    }
}
