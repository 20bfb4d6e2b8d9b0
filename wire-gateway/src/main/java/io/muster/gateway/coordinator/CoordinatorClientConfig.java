package io.muster.gateway.coordinator;

import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.ClusterSecret;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a gateway reaches the nodes.
 *
 * @param cluster as this gateway is configured; without an incarnation
 * @param gatewayId unique over the life of this process
 * @param failoverPatience how long a command waits for its shard to have a leader, before it is answered without
 * @param answerPatience how long a sent command waits for its answer
 * @param secret what proves the gateway to the nodes; null if the cluster has none
 */
public record CoordinatorClientConfig(
        ClusterIdentity cluster,
        String gatewayId,
        List<NodeAddress> nodes,
        Duration failoverPatience,
        Duration answerPatience,
        @Nullable ClusterSecret secret) {
    public CoordinatorClientConfig {
        nodes = List.copyOf(nodes);
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("no coordinator node is given");
        }
    }

    /** Where a node serves gateways. */
    public record NodeAddress(String nodeId, String host, int port) {}
}
