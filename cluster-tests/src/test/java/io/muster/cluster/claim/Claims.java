package io.muster.cluster.claim;

import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimMarks;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.gateway.coordinator.ClaimExecutor;
import io.muster.gateway.upstream.UpstreamClaimExecutor;
import io.muster.gateway.upstream.UpstreamConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/** The claims of one Muster cluster, one operation after the other. */
final class Claims implements AutoCloseable {
    static final int SESSION_MILLIS = 1_800_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final UpstreamClaimExecutor executor;
    private final ClaimMarks marks;

    Claims(String bootstrap, String clusterName) {
        this(bootstrap, clusterName, new ClaimMarks(clusterName, List.of(clusterName), false));
    }

    Claims(String bootstrap, String clusterName, ClaimMarks marks) {
        this.marks = marks;
        this.executor =
                new UpstreamClaimExecutor(new UpstreamConfig(List.of(bootstrap.split(",")), clusterName, Map.of()));
    }

    /** How an operation ended, and whether the lock was reported before. */
    record Ended(ClaimOutcome outcome, boolean locked) {}

    Ended run(String groupId, ClaimOperation operation) throws InterruptedException {
        LinkedBlockingQueue<ClaimOutcome> reports = new LinkedBlockingQueue<>();
        executor.start(new ClaimExecutor.Task(groupId, operation, marks), () -> false, reports::add);
        boolean locked = false;
        while (true) {
            ClaimOutcome report = reports.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (report == null) {
                throw new AssertionError("no end of " + operation);
            }
            if (!(report instanceof ClaimOutcome.Locked)) {
                return new Ended(report, locked);
            }
            locked = true;
        }
    }

    void start(String groupId, ClaimOperation operation, BooleanSupplier givenUp, Consumer<ClaimOutcome> report) {
        executor.start(new ClaimExecutor.Task(groupId, operation, marks), givenUp, report);
    }

    /** Takes the claim, however often upstream's coordinator has to be asked. */
    ClaimIdentity take(String groupId) {
        return Awaitility.await()
                                .atMost(LIMIT)
                                .until(
                                        () -> run(groupId, new ClaimOperation.Join(SESSION_MILLIS))
                                                .outcome(),
                                        ClaimOutcome.Joined.class::isInstance)
                        instanceof ClaimOutcome.Joined joined
                ? joined.identity()
                : new ClaimIdentity("", -1);
    }

    ClaimIdentity fence(String groupId, ClaimIdentity replaced) throws InterruptedException {
        ClaimOutcome outcome =
                run(groupId, new ClaimOperation.Fence(replaced, SESSION_MILLIS)).outcome();
        if (outcome instanceof ClaimOutcome.Fenced fenced
                && fenced.inPlace()
                && fenced.identity().generation() == replaced.generation()) {
            return fenced.identity();
        }
        throw new AssertionError("not fenced in place but " + outcome);
    }

    ClaimOutcome heartbeat(String groupId, ClaimIdentity identity) throws InterruptedException {
        return run(groupId, new ClaimOperation.Heartbeat(identity)).outcome();
    }

    ClaimOutcome leave(String groupId, ClaimIdentity identity) throws InterruptedException {
        return run(groupId, new ClaimOperation.Leave(identity)).outcome();
    }

    @Override
    public void close() {
        executor.close();
    }
}
