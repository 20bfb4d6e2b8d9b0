package io.muster.cli.config;

import io.muster.core.CoordinatorConfig;
import io.muster.gateway.netty.ConnectionLimits;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.ClusterSecret;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one node, checked. The example file documents every key with its unit, default and range.
 *
 * @param takeOverClaims whether claims of another cluster of the same name are taken away from it
 * @param secret what only this cluster's processes know; null if it has none, and then all addresses are loopback ones
 * @param nodes all nodes of the cluster, this one included if it is a coordinator
 * @param dataDirectory exists
 * @param listenHost the address that a coordinator binds; empty for those under nodes
 */
public record MusterConfig(
        String clusterName,
        int shards,
        boolean takeOverClaims,
        @Nullable ClusterSecret secret,
        String nodeId,
        Set<Role> roles,
        List<ConfiguredNode> nodes,
        Path dataDirectory,
        String listenHost,
        ConfiguredGateway gateway,
        Upstream upstream,
        CoordinatorConfig coordinator,
        Raft raft) {
    public MusterConfig {
        roles = Set.copyOf(roles);
        nodes = List.copyOf(nodes);
    }

    /** What a process does. */
    public enum Role {
        COORDINATOR,
        GATEWAY
    }

    /** A node of the cluster: where its Raft server and its services listen. */
    public record ConfiguredNode(String id, Address raft, Address rpc) {}

    /** @param port 1 to 65535 */
    public record Address(String host, int port) {
        private static final int MAX_PORT = 65_535;

        /**
         * Reads {@code host:port}.
         *
         * @param name what the text is the value of, for the exception
         * @throws ConfigException if it is none
         */
        public static Address parse(String name, String text) throws ConfigException {
            int colon = text.lastIndexOf(':');
            String digits = text.substring(colon + 1);
            int port = digits.matches("\\d{1,5}") ? Integer.parseInt(digits) : 0;
            if (colon < 1 || port < 1 || port > MAX_PORT) {
                throw new ConfigException(name + " must be host:port, but is '" + text + "'");
            }
            return new Address(text.substring(0, colon), port);
        }

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /**
     * @param basePort the port of broker 0; that of broker n is {@code basePort + n}
     * @param advertisedHost the host that clients are told
     * @param requestPatienceMillis how long commits are tried again, and requests wait for earlier ones
     * @param permissionRefreshMillis how long a broker's word that a client may do something counts until it is asked again
     * @param limits what clients may cost
     */
    public record ConfiguredGateway(
            String listenHost,
            int basePort,
            String advertisedHost,
            int requestPatienceMillis,
            int permissionRefreshMillis,
            ConnectionLimits limits) {}

    /**
     * @param bootstrapServers {@code host:port} of some brokers
     * @param properties Kafka client properties of Muster's own principal
     */
    public record Upstream(List<String> bootstrapServers, Map<String, String> properties, int topicPollMillis) {
        public Upstream {
            bootstrapServers = List.copyOf(bootstrapServers);
            properties = Map.copyOf(properties);
        }
    }

    public record Raft(int electionTimeoutMinMillis, int electionTimeoutMaxMillis, int snapshotThreshold) {}

    /** What the configuration says of the cluster, without an incarnation. */
    public ClusterIdentity cluster() {
        return new ClusterIdentity(
                clusterName, "", shards, nodes.stream().map(ConfiguredNode::id).toList());
    }

    /** The address that a coordinator binds for one under nodes. */
    public InetSocketAddress bound(Address address) {
        return new InetSocketAddress(listenHost.isEmpty() ? address.host() : listenHost, address.port());
    }

    /** This process's entry in {@link #nodes}; only of a coordinator. */
    public ConfiguredNode self() {
        return nodes.stream()
                .filter(node -> node.id().equals(nodeId))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("node " + nodeId + " is not in the list of nodes"));
    }

    public boolean has(Role role) {
        return roles.contains(role);
    }
}
