package io.muster.runtime;

import java.util.List;
import java.util.Optional;

/**
 * What a cluster was founded with. None of it can be changed later by editing a configuration.
 *
 * @param clusterName the configured name
 * @param incarnation random, made at the founding: tells this cluster from every other one of the same name. That of shard 0 is the
 *     cluster's. Empty in what a configuration says
 * @param shards number of shards, 1 or more
 * @param nodeIds the ids of all nodes, sorted
 */
public record ClusterIdentity(String clusterName, String incarnation, int shards, List<String> nodeIds) {
    public ClusterIdentity {
        nodeIds = nodeIds.stream().sorted().toList();
    }

    /** The same with this incarnation. */
    public ClusterIdentity of(String next) {
        return new ClusterIdentity(clusterName, next, shards, nodeIds);
    }

    /**
     * In what another identity differs from this one, as the end of a sentence that begins with what is at variance; empty if in
     * nothing. Incarnations are compared where both are known.
     */
    public Optional<String> differenceTo(ClusterIdentity other) {
        if (!clusterName.equals(other.clusterName)) {
            return difference("cluster.name", clusterName, other.clusterName);
        }
        if (shards != other.shards) {
            return difference("cluster.shards", shards, other.shards);
        }
        if (!nodeIds.equals(other.nodeIds)) {
            return difference("the ids under nodes", nodeIds, other.nodeIds);
        }
        boolean known = !incarnation.isEmpty() && !other.incarnation.isEmpty();
        return known && !incarnation.equals(other.incarnation)
                ? difference("the incarnation of cluster " + clusterName, incarnation, other.incarnation)
                : Optional.empty();
    }

    private static Optional<String> difference(String what, Object here, Object there) {
        return Optional.of(what + " is " + here + " and not " + there);
    }
}
