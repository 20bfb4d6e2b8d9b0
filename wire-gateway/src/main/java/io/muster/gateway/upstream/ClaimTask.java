package io.muster.gateway.upstream;

import io.muster.core.ClaimMarks;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.gateway.coordinator.ClaimExecutor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One claim operation on its way. Sees to it that nothing is reported after the end. Any thread. */
final class ClaimTask {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimTask.class);

    static final ClaimOutcome GIVEN_UP = new ClaimOutcome.Unavailable("given up before it was sent");

    private final ClaimExecutor.Task asked;
    private final BooleanSupplier givenUp;
    private final Consumer<ClaimOutcome> report;
    private boolean ended;

    ClaimTask(ClaimExecutor.Task asked, BooleanSupplier givenUp, Consumer<ClaimOutcome> report) {
        this.asked = asked;
        this.givenUp = givenUp;
        this.report = report;
    }

    String groupId() {
        return asked.groupId();
    }

    ClaimOperation operation() {
        return asked.operation();
    }

    ClaimMarks marks() {
        return asked.marks();
    }

    /** Whether nobody wants it any more. */
    boolean isGivenUp() {
        return givenUp.getAsBoolean();
    }

    synchronized void locked() {
        if (!ended) {
            report.accept(new ClaimOutcome.Locked());
        }
    }

    /** Does nothing after the first time. */
    synchronized void end(ClaimOutcome outcome) {
        if (!ended) {
            ended = true;
            report.accept(outcome);
        }
    }

    /** Ends it after a defect, or where no session can be opened. */
    void fail(RuntimeException cause) {
        LOG.atError().addKeyValue("groupId", asked.groupId()).setCause(cause).log("a claim operation failed");
        end(new ClaimOutcome.Unavailable("internal error: " + cause));
    }
}
