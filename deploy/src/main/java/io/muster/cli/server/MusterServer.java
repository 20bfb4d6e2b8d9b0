package io.muster.cli.server;

import io.muster.cli.config.MusterConfig;
import io.muster.cli.config.MusterConfig.Role;
import io.muster.raft.SkippedEntry;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One process: a coordinator, a gateway, or both. Stops on SIGTERM, and exits loudly when it must not go on. */
final class MusterServer {
    private static final Logger LOG = LoggerFactory.getLogger(MusterServer.class);
    private static final int FATAL_EXIT = 70;

    private final MusterConfig config;
    private final Set<SkippedEntry> skippedEntries;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicBoolean dying = new AtomicBoolean();
    private @Nullable PidFile pidFile;
    private @Nullable CoordinatorNode coordinator;
    private @Nullable GatewayNode gateway;

    /** @param skippedEntries entries of the Raft logs that are passed over */
    MusterServer(MusterConfig config, Set<SkippedEntry> skippedEntries) {
        this.config = config;
        this.skippedEntries = Set.copyOf(skippedEntries);
    }

    /** Starts all roles; returns when clients and gateways can connect. */
    void start() throws StartException {
        pidFile = PidFile.take(config.node().dataDirectory());
        try {
            if (config.node().has(Role.COORDINATOR)) {
                coordinator = CoordinatorNode.start(config, skippedEntries, this::fatal);
            }
            if (config.node().has(Role.GATEWAY)) {
                gateway = GatewayNode.start(
                        config, Optional.ofNullable(coordinator).map(CoordinatorNode::local));
            }
        } catch (StartException | RuntimeException e) {
            stop();
            throw e;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "muster-stop"));
        LOG.atInfo()
                .addKeyValue("clusterName", config.cluster().name())
                .addKeyValue("nodeId", config.node().id())
                .addKeyValue("roles", config.node().roles())
                .log("Muster is ready");
    }

    void awaitStop() throws InterruptedException {
        stopped.await();
    }

    /** Hands leaderships over, lets the clients go to other gateways, then closes what is left. */
    private synchronized void stop() {
        if (dying.get()) {
            return;
        }
        if (coordinator != null) {
            coordinator.handOver();
        }
        if (gateway != null) {
            gateway.close();
            gateway = null;
        }
        if (coordinator != null) {
            coordinator.close();
            coordinator = null;
        }
        if (pidFile != null) {
            pidFile.close();
            pidFile = null;
        }
        LOG.info("Muster has stopped");
        stopped.countDown();
    }

    /** No clean stop: what is in memory may be wrong, and what is on disk is consistent at any moment. */
    private void fatal(String reason, Throwable cause) {
        if (dying.compareAndSet(false, true)) {
            LOG.atError().addKeyValue("reason", reason).setCause(cause).log("Muster cannot go on and exits");
            Runtime.getRuntime().halt(FATAL_EXIT);
        }
    }
}
