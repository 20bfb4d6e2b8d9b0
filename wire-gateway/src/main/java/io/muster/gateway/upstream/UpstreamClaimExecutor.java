package io.muster.gateway.upstream;

import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.runtime.UpstreamClaims;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes claim operations on the upstream group coordinators with Muster's own principal. First joins block their connection for
 * the broker's initial rebalance delay, so they have connections of their own; all else never waits for them.
 */
public final class UpstreamClaimExecutor implements UpstreamClaims, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamClaimExecutor.class);
    private static final int JOIN_CONNECTIONS = 32;
    private static final int OTHER_CONNECTIONS = 8;
    private static final long CLOSE_TIMEOUT_MILLIS = 5_000;

    private final CoordinatorLookup coordinators = new CoordinatorLookup();
    private final SessionTimeouts timeouts = new SessionTimeouts();
    private final String claimName;
    private final SessionPool joins;
    private final SessionPool others;
    private final ScheduledExecutorService scheduler;
    private final LockWatch locks;

    public UpstreamClaimExecutor(UpstreamConfig config) {
        this.claimName = config.claimName();
        this.joins = new SessionPool(config, "claim-join", JOIN_CONNECTIONS);
        this.others = new SessionPool(config, "claim", OTHER_CONNECTIONS);
        this.scheduler = Executors.newSingleThreadScheduledExecutor(threads("claim-lock-watch"));
        this.locks = new LockWatch(new BrokerSession(config), coordinators, claimName, scheduler);
    }

    @Override
    public void start(String groupId, ClaimOperation operation, Consumer<ClaimOutcome> report) {
        Reporter reporter = new Reporter(report);
        boolean join = operation instanceof ClaimOperation.Join;
        try {
            (join ? joins : others).execute(session -> run(session, groupId, operation, reporter));
        } catch (RejectedExecutionException e) {
            reporter.end(new ClaimOutcome.Unavailable("the gateway is stopping"));
        }
    }

    @Override
    public void close() {
        scheduler.shutdown();
        joins.close();
        others.close();
        if (ends(scheduler)) {
            locks.close();
        }
    }

    /** Whether the threads of a service that was shut down end soon: only then may what they use be closed. */
    static boolean ends(ExecutorService service) {
        try {
            if (service.awaitTermination(CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                return true;
            }
            LOG.warn("claim operations did not stop in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private void run(BrokerSession session, String groupId, ClaimOperation operation, Reporter reporter) {
        boolean join = operation instanceof ClaimOperation.Join;
        if (join) {
            locks.watch(groupId, () -> reporter.locked());
        }
        ClaimOutcome outcome;
        try {
            outcome = new ClaimConversation(session, coordinators, timeouts, claimName).run(groupId, operation);
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("groupId", groupId).setCause(e).log("a claim operation failed");
            outcome = new ClaimOutcome.Unavailable("internal error: " + e);
        }
        if (join) {
            locks.forget(groupId);
        }
        reporter.end(outcome);
    }

    static ThreadFactory threads(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Sees to it that nothing is reported after the end. */
    private static final class Reporter {
        private final Consumer<ClaimOutcome> report;
        private boolean ended;

        Reporter(Consumer<ClaimOutcome> report) {
            this.report = report;
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
}
