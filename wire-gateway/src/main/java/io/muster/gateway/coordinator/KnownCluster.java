package io.muster.gateway.coordinator;

import io.muster.rpc.IdentityMessages;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.ClusterIdentity;
import java.util.Optional;

/** What this gateway knows of the cluster: what is configured, and the incarnation of the first node that told one. */
final class KnownCluster {
    private ClusterIdentity cluster;

    KnownCluster(ClusterIdentity configured) {
        this.cluster = configured;
    }

    synchronized Wire.ClusterIdentity message() {
        return IdentityMessages.encode(cluster);
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
        ClusterIdentity theirs = IdentityMessages.decode(welcome.getCluster());
        Optional<String> difference = theirs.differenceTo(cluster);
        if (difference.isEmpty() && cluster.incarnation().isEmpty()) {
            cluster = cluster.of(theirs.incarnation());
        }
        return difference.map(text -> "at node " + nodeId + ", " + text);
    }
}
