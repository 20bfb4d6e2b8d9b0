package io.muster.gateway.coordinator;

import io.muster.codec.ValueCodec;
import io.muster.codec.proto.Values;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.ClusterIdentity;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What this gateway knows of the cluster: what is configured, and the incarnation that the node of its own process knows, else that of
 * the first node that told one.
 */
final class KnownCluster {
    private final Supplier<String> ownIncarnation;
    private ClusterIdentity cluster;

    /** @param ownIncarnation that of the node of this process; empty while it knows none, or if there is no such node */
    KnownCluster(ClusterIdentity configured, Supplier<String> ownIncarnation) {
        this.cluster = configured;
        this.ownIncarnation = ownIncarnation;
    }

    synchronized Values.ClusterIdentity message() {
        return ValueCodec.encode(known());
    }

    private ClusterIdentity known() {
        if (cluster.incarnation().isEmpty()) {
            cluster = cluster.of(ownIncarnation.get());
        }
        return cluster;
    }

    /**
     * Takes a node's word for who it is.
     *
     * @return why the node is none of this cluster; empty if it is one
     */
    synchronized Optional<String> meet(String nodeId, Wire.Welcome welcome) {
        if (!welcome.getNodeId().equals(nodeId)) {
            return Optional.of("at the address of " + nodeId + ", node.id is " + welcome.getNodeId());
        }
        ClusterIdentity theirs = ValueCodec.decode(welcome.getCluster());
        Optional<String> difference = theirs.differenceTo(known());
        if (difference.isEmpty() && cluster.incarnation().isEmpty()) {
            cluster = cluster.of(theirs.incarnation());
        }
        return difference.map(text -> "at node " + nodeId + ", " + text);
    }
}
