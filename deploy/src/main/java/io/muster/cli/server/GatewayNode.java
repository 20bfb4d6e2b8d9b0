package io.muster.cli.server;

import io.muster.cli.config.MusterConfig;
import io.muster.gateway.coordinator.ClusterCoordinator;
import io.muster.gateway.coordinator.CoordinatorClientConfig;
import io.muster.gateway.coordinator.CoordinatorClientConfig.NodeAddress;
import io.muster.gateway.netty.Gateway;
import io.muster.gateway.netty.GatewayConfig;
import io.muster.gateway.upstream.TopicPoller;
import io.muster.gateway.upstream.UpstreamClaimExecutor;
import io.muster.gateway.upstream.UpstreamConfig;
import io.muster.node.RandomIds;
import io.muster.rpc.LocalCoordinator;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gateway of a process: its listeners, its sessions with the nodes, and what it does upstream for them. */
final class GatewayNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayNode.class);
    private static final Duration FAILOVER_PATIENCE = Duration.ofSeconds(2);
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(10);
    private static final long FIRST_LISTEN_SECONDS = 10;

    private final UpstreamClaimExecutor claims;
    private final TopicPoller topics;
    private final ClusterCoordinator coordinator;
    private final Gateway gateway;

    private GatewayNode(MusterConfig config, Optional<LocalCoordinator> own) {
        UpstreamConfig upstream = new UpstreamConfig(
                config.upstream().bootstrapServers(),
                config.cluster().name(),
                config.upstream().properties());
        this.claims = new UpstreamClaimExecutor(upstream);
        this.topics = new TopicPoller(upstream, config.upstream().topicPollMillis());
        this.coordinator = new ClusterCoordinator(
                new CoordinatorClientConfig(
                        config.cluster().identity(),
                        config.node().id() + "-" + new RandomIds().freshId(),
                        config.cluster().nodes().stream()
                                .map(node -> new NodeAddress(
                                        node.id(), node.rpc().host(), node.rpc().port()))
                                .toList(),
                        FAILOVER_PATIENCE,
                        ANSWER_PATIENCE,
                        config.cluster().secret()),
                own,
                claims,
                topics);
        this.gateway = new Gateway(
                GatewayConfig.of(
                                config.gateway().listenHost(),
                                config.gateway().advertisedHost(),
                                config.gateway().basePort())
                        .with(config.gateway().limits())
                        .withRequestPatience(Duration.ofMillis(config.gateway().requestPatienceMillis()))
                        .withPermissionRefresh(
                                Duration.ofMillis(config.gateway().permissionRefreshMillis())),
                upstream,
                coordinator,
                config.coordinator());
    }

    /**
     * Starts it. While no broker can be reached there is no port to open; the gateway then goes on trying.
     *
     * @param own the coordinator of this process, if it has one
     * @throws StartException if a port is taken
     */
    static GatewayNode start(MusterConfig config, Optional<LocalCoordinator> own) throws StartException {
        GatewayNode node = new GatewayNode(config, own);
        try {
            node.gateway.start().get(FIRST_LISTEN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            node.close();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StartException("gateway: " + cause.getMessage(), cause);
        } catch (TimeoutException e) {
            LOG.atWarn()
                    .addKeyValue("bootstrapServers", config.upstream().bootstrapServers())
                    .log("no upstream broker can be reached; the gateway opens its ports as soon as one can");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            node.close();
            throw new StartException("interrupted while starting", e);
        }
        return node;
    }

    @Override
    public void close() {
        gateway.close();
        coordinator.close();
        topics.close();
        claims.close();
    }
}
