package io.muster.gateway.upstream;

import io.muster.core.ClaimOutcome;
import io.muster.gateway.coordinator.ClaimExecutor;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.common.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes claim operations on the upstream group coordinators with Muster's own principal. Each broker has connections and threads
 * of its own, and so has the search for a group's coordinator: no broker's silence holds up what is for another.
 */
public final class UpstreamClaimExecutor implements ClaimExecutor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamClaimExecutor.class);
    private static final int LOOKUP_CONNECTIONS = 4;
    private static final long CLOSE_TIMEOUT_MILLIS = 5_000;

    private final BrokerClaims.Shared shared;
    private final CoordinatorLookup coordinators = new CoordinatorLookup();
    private final SessionPool lookups;
    private final Map<Node, BrokerClaims> brokers = new ConcurrentHashMap<>();

    public UpstreamClaimExecutor(UpstreamConfig config) {
        this.shared = new BrokerClaims.Shared(config, coordinators, new SessionTimeouts());
        this.lookups = new SessionPool(config, "claim-lookup", LOOKUP_CONNECTIONS);
    }

    @Override
    public void start(Task asked, BooleanSupplier givenUp, Consumer<ClaimOutcome> report) {
        ClaimTask task = new ClaimTask(asked, givenUp, report);
        Optional<Node> known = coordinators.known(task.groupId());
        try {
            if (known.isPresent()) {
                broker(known.get()).execute(task);
            } else {
                lookups.execute(session -> findAndExecute(session, task), task::fail);
            }
        } catch (RejectedExecutionException e) {
            task.end(new ClaimOutcome.Unavailable("the gateway is stopping"));
        }
    }

    @Override
    public void close() {
        lookups.close();
        brokers.values().forEach(BrokerClaims::close);
    }

    private void findAndExecute(BrokerSession session, ClaimTask task) {
        if (task.isGivenUp()) {
            task.end(ClaimTask.GIVEN_UP);
            return;
        }
        try {
            broker(coordinators.find(session, task.groupId())).execute(task);
        } catch (UpstreamException e) {
            task.end(new ClaimOutcome.Unavailable(String.valueOf(e.getMessage())));
        } catch (RejectedExecutionException e) {
            task.end(new ClaimOutcome.Unavailable("the gateway is stopping"));
        }
    }

    private BrokerClaims broker(Node node) {
        return brokers.computeIfAbsent(node, added -> new BrokerClaims(added, shared));
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

    static ThreadFactory threads(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
