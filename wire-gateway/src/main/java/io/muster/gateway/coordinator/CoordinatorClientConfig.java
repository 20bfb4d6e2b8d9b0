package io.muster.gateway.coordinator;

import java.time.Duration;
import java.util.List;

/**
 * How a gateway reaches the nodes.
 *
 * @param gatewayId unique over the life of this process
 * @param failoverPatience how long a command waits for its shard to have a leader, before it is answered without
 * @param answerPatience how long a sent command waits for its answer
 */
public record CoordinatorClientConfig(
        String clusterName,
        String gatewayId,
        List<NodeAddress> nodes,
        Duration failoverPatience,
        Duration answerPatience) {
    public CoordinatorClientConfig {
        nodes = List.copyOf(nodes);
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("no coordinator node is given");
        }
    }

    /** Where a node serves gateways. */
    public record NodeAddress(String nodeId, String host, int port) {}
}
