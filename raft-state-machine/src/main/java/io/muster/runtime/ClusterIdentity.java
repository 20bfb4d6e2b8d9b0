package io.muster.runtime;

import java.util.List;

/**
 * What a cluster was founded with. None of it can be changed later by editing a configuration.
 *
 * @param clusterName the configured name
 * @param incarnation random, made at the founding: tells this cluster from every other one of the same name. That of shard 0 is the
 *     cluster's
 * @param shards number of shards, 1 or more
 * @param nodeIds the ids of all nodes, sorted
 */
public record ClusterIdentity(String clusterName, String incarnation, int shards, List<String> nodeIds) {
    public ClusterIdentity {
        nodeIds = nodeIds.stream().sorted().toList();
    }
}
