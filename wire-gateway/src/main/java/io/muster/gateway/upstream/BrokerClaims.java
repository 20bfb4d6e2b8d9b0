package io.muster.gateway.upstream;

import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.common.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the claim operations of one broker. First joins block their connection for the broker's initial rebalance delay, so they
 * have connections of their own; all else never waits for them.
 */
final class BrokerClaims implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerClaims.class);
    private static final int JOIN_CONNECTIONS = 32;
    private static final int OTHER_CONNECTIONS = 8;

    private final CoordinatorLookup coordinators;
    private final SessionTimeouts timeouts;
    private final String claimName;
    private final SessionPool joins;
    private final SessionPool others;
    private final ScheduledExecutorService scheduler;
    private final LockWatch locks;

    BrokerClaims(UpstreamConfig config, Node broker, CoordinatorLookup coordinators, SessionTimeouts timeouts) {
        this.coordinators = coordinators;
        this.timeouts = timeouts;
        this.claimName = config.claimName();
        this.joins = new SessionPool(config, "claim-join-" + broker.id(), JOIN_CONNECTIONS);
        this.others = new SessionPool(config, "claim-" + broker.id(), OTHER_CONNECTIONS);
        this.scheduler = Executors.newSingleThreadScheduledExecutor(
                UpstreamClaimExecutor.threads("claim-lock-watch-" + broker.id()));
        this.locks = new LockWatch(new BrokerSession(config), coordinators, claimName, scheduler);
    }

    /** @throws java.util.concurrent.RejectedExecutionException once this is closed */
    void execute(ClaimTask task) {
        (isJoin(task) ? joins : others).execute(session -> run(session, task));
    }

    @Override
    public void close() {
        scheduler.shutdown();
        joins.close();
        others.close();
        if (UpstreamClaimExecutor.ends(scheduler)) {
            locks.close();
        }
    }

    private void run(BrokerSession session, ClaimTask task) {
        if (task.isGivenUp()) {
            task.end(ClaimTask.GIVEN_UP);
            return;
        }
        if (isJoin(task)) {
            locks.watch(task.groupId(), task::locked);
        }
        ClaimOutcome outcome;
        try {
            outcome = new ClaimConversation(session, coordinators, timeouts, claimName, task.marks()).run(task);
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("groupId", task.groupId()).setCause(e).log("a claim operation failed");
            outcome = new ClaimOutcome.Unavailable("internal error: " + e);
        }
        if (isJoin(task)) {
            locks.forget(task.groupId());
        }
        task.end(outcome);
    }

    private static boolean isJoin(ClaimTask task) {
        return task.operation() instanceof ClaimOperation.Join;
    }
}
