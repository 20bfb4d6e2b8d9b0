package io.muster.rpc;

import io.muster.core.ClaimMarks;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.rpc.ConnectedGateway.ClaimTask;
import io.muster.runtime.ShardRouter;
import io.muster.runtime.UpstreamClaims;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands claim operations to connected gateways and their reports back; an operation whose gateway went away is unavailable. */
final class ClaimRequests implements UpstreamClaims {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimRequests.class);
    private static final long JOIN_PATIENCE_MILLIS = 330_000;
    private static final long PATIENCE_MILLIS = 30_000;
    /** A gateway gives an operation up earlier, so that it does not run for a leader that has asked anew. */
    private static final long AHEAD_MILLIS = 1_000;

    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final List<ConnectedGateway> gateways;
    private final ScheduledExecutorService timer;
    private final LocalShards shards;
    private final Map<Long, Pending> pending = new HashMap<>();
    private long lastOperationId;

    ClaimRequests(List<ConnectedGateway> gateways, ScheduledExecutorService timer, LocalShards shards) {
        this.gateways = gateways;
        this.shards = shards;
        this.timer = timer;
    }

    private record Pending(
            ConnectedGateway gateway,
            boolean join,
            long startedNanos,
            Consumer<ClaimOutcome> report,
            ScheduledFuture<?> deadline) {}

    @Override
    public void start(String groupId, ClaimOperation operation, Consumer<ClaimOutcome> report) {
        String trouble;
        try {
            trouble = tryStart(groupId, operation, report) ? "" : "no gateway is connected to the shard's leader";
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("groupId", groupId).setCause(e).log("a claim operation cannot be started");
            trouble = "internal error: " + e;
        }
        if (!trouble.isEmpty()) {
            report.accept(new ClaimOutcome.Unavailable(trouble));
        }
    }

    void reported(ConnectedGateway gateway, long operationId, ClaimOutcome outcome) {
        Consumer<ClaimOutcome> report;
        synchronized (this) {
            Pending asked = pending.get(operationId);
            if (asked == null || asked.gateway() != gateway) {
                return;
            }
            report = asked.report();
            if (!(outcome instanceof ClaimOutcome.Locked)) {
                pending.remove(operationId);
                asked.deadline().cancel(false);
            }
        }
        report.accept(outcome);
    }

    void gone(ConnectedGateway gateway) {
        List<Pending> lost = new ArrayList<>();
        synchronized (this) {
            pending.values().removeIf(asked -> {
                boolean itsOwn = asked.gateway() == gateway;
                if (itsOwn) {
                    asked.deadline().cancel(false);
                    lost.add(asked);
                }
                return itsOwn;
            });
        }
        lost.forEach(asked -> asked.report().accept(new ClaimOutcome.Unavailable("the gateway disconnected")));
    }

    private synchronized boolean tryStart(String groupId, ClaimOperation operation, Consumer<ClaimOutcome> report) {
        Optional<ConnectedGateway> chosen = choose();
        if (chosen.isEmpty()) {
            return false;
        }
        long operationId = ++lastOperationId;
        boolean join = operation instanceof ClaimOperation.Join;
        long patienceMillis = join ? JOIN_PATIENCE_MILLIS : PATIENCE_MILLIS;
        ClaimMarks marks = shards.claimMarks(new ShardRouter(shards.count()).shardOf(groupId));
        ClaimTask task = new ClaimTask(operationId, groupId, patienceMillis - AHEAD_MILLIS, operation, marks);
        ScheduledFuture<?> deadline = timer.schedule(() -> expire(operationId), patienceMillis, TimeUnit.MILLISECONDS);
        pending.put(operationId, new Pending(chosen.get(), join, System.nanoTime(), report, deadline));
        chosen.get().claim(task);
        return true;
    }

    /** Prefers gateways that keep up, then those with less to do. */
    private Optional<ConnectedGateway> choose() {
        return gateways.stream()
                .filter(ConnectedGateway::isReady)
                .min(Comparator.comparing(this::isSlow)
                        .thenComparing(this::load)
                        .thenComparing(ConnectedGateway::gatewayId));
    }

    private boolean isSlow(ConnectedGateway gateway) {
        long now = System.nanoTime();
        return pending.values().stream()
                .anyMatch(asked ->
                        asked.gateway() == gateway && !asked.join() && now - asked.startedNanos() > SLOW_NANOS);
    }

    private long load(ConnectedGateway gateway) {
        return pending.values().stream()
                .filter(asked -> asked.gateway() == gateway)
                .count();
    }

    private void expire(long operationId) {
        Pending asked;
        synchronized (this) {
            asked = pending.remove(operationId);
        }
        if (asked != null) {
            asked.report().accept(new ClaimOutcome.Unavailable("the gateway did not report in time"));
        }
    }
}
