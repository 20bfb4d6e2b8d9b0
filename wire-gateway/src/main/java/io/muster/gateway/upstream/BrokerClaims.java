package io.muster.gateway.upstream;

import io.muster.core.ClaimOperation;
import org.apache.kafka.common.Node;

/**
 * Executes the claim operations of one broker, on threads that talk to no other. First joins block their connection for the broker's
 * initial rebalance delay, so they have connections of their own; all else never waits for them.
 */
final class BrokerClaims implements AutoCloseable {
    private static final int JOIN_CONNECTIONS = 32;
    private static final int OTHER_CONNECTIONS = 8;

    private final Node broker;
    private final Shared shared;
    private final SessionPool joins;
    private final SessionPool others;
    private final LockWatch locks;

    /** What the brokers of a cluster have in common. */
    record Shared(UpstreamConfig config, CoordinatorLookup coordinators, SessionTimeouts timeouts) {}

    /** Opens no connection yet. */
    BrokerClaims(Node broker, Shared shared) {
        this.broker = broker;
        this.shared = shared;
        this.joins = new SessionPool(shared.config(), "claim-join-" + broker.id(), JOIN_CONNECTIONS);
        this.others = new SessionPool(shared.config(), "claim-" + broker.id(), OTHER_CONNECTIONS);
        this.locks = new LockWatch(shared.config(), broker);
    }

    /** @throws java.util.concurrent.RejectedExecutionException once this is closed */
    void execute(ClaimTask task) {
        (isJoin(task) ? joins : others).execute(session -> run(session, task), task::fail);
    }

    @Override
    public void close() {
        joins.close();
        others.close();
        locks.close();
    }

    private void run(BrokerSession session, ClaimTask task) {
        if (task.isGivenUp()) {
            task.end(ClaimTask.GIVEN_UP);
            return;
        }
        ClaimConversation conversation = new ClaimConversation(session, broker, shared, task.marks());
        if (!isJoin(task)) {
            task.end(conversation.run(task));
            return;
        }
        locks.watch(task.groupId(), task::locked);
        try {
            task.end(conversation.run(task));
        } finally {
            locks.forget(task.groupId());
        }
    }

    private static boolean isJoin(ClaimTask task) {
        return task.operation() instanceof ClaimOperation.Join;
    }
}
