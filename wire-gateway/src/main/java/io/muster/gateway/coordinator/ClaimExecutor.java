package io.muster.gateway.coordinator;

import io.muster.core.ClaimMarks;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Executes claim operations on the upstream cluster. */
public interface ClaimExecutor {
    /**
     * Starts an operation and returns at once.
     *
     * @param givenUp whether nobody wants the operation any more: what was not sent upstream until then never is
     * @param report called, on any thread, once with the end of the operation, and before it with {@link ClaimOutcome.Locked} when a
     *     first join has locked others out
     */
    void start(Task task, BooleanSupplier givenUp, Consumer<ClaimOutcome> report);

    /**
     * One operation on one group.
     *
     * @param marks by which claims of another cluster of the same name are told apart
     */
    record Task(String groupId, ClaimOperation operation, ClaimMarks marks) {}
}
