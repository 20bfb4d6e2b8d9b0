package io.muster.cli.config;

import io.muster.core.CoordinatorConfig;
import io.muster.gateway.netty.ConnectionLimits;
import io.muster.raft.RaftConfig;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.ClusterSecret;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The configuration of one node, checked. The example file documents every key with its unit, default and range. */
public record MusterConfig(
        ConfiguredCluster cluster,
        OwnNode node,
        ConfiguredGateway gateway,
        Upstream upstream,
        CoordinatorConfig coordinator,
        RaftConfig.Pace raft) {
    /**
     * What all processes of the cluster have to agree on.
     *
     * @param takeOverClaims whether claims of another cluster of the same name are taken away from it
     * @param secret what only this cluster's processes know; null if it has none, and then all addresses are loopback ones
     * @param nodes all nodes of the cluster, this one included if it is a coordinator
     */
    public record ConfiguredCluster(
            String name,
            int shards,
            boolean takeOverClaims,
            @Nullable ClusterSecret secret,
            List<ConfiguredNode> nodes) {
        public ConfiguredCluster {
            nodes = List.copyOf(nodes);
        }

        /** What the configuration says of the cluster, without an incarnation. */
        public ClusterIdentity identity() {
            return new ClusterIdentity(
                    name, "", shards, nodes.stream().map(ConfiguredNode::id).toList());
        }
    }

    /**
     * This process.
     *
     * @param dataDirectory exists
     * @param listenHost the address that a coordinator binds; empty for those under nodes
     */
    public record OwnNode(String id, Set<Role> roles, Path dataDirectory, String listenHost) {
        public OwnNode {
            roles = Set.copyOf(roles);
        }

        public boolean has(Role role) {
            return roles.contains(role);
        }
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

    /** The address that a coordinator binds for one under nodes. */
    public InetSocketAddress bound(Address address) {
        return new InetSocketAddress(node.listenHost().isEmpty() ? address.host() : node.listenHost(), address.port());
    }

    /** This process's entry among the cluster's nodes; only of a coordinator. */
    public ConfiguredNode self() {
        return cluster.nodes().stream()
                .filter(each -> each.id().equals(node.id()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("node " + node.id() + " is not in the list of nodes"));
    }
}
