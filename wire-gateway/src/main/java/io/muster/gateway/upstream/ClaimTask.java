package io.muster.gateway.upstream;

import io.muster.core.ClaimMarks;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.gateway.coordinator.ClaimExecutor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One claim operation on its way. Sees to it that nothing is reported after the end. Any thread. */
final class ClaimTask {
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

    synchronized void end(ClaimOutcome outcome) {
        ended = true;
        report.accept(outcome);
    }
}
