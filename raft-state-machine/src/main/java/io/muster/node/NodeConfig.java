package io.muster.node;

import io.muster.core.CoordinatorConfig;
import io.muster.runtime.ClusterIdentity;

/**
 * What the shards of a node need to know of its configuration.
 *
 * @param nodeId the node's id
 * @param cluster the cluster that the node is configured for, without an incarnation
 * @param takeOverClaims whether claims of another cluster of the same name are taken away from it
 * @param coordinator defaults and limits of groups
 */
public record NodeConfig(
        String nodeId, ClusterIdentity cluster, boolean takeOverClaims, CoordinatorConfig coordinator) {}
