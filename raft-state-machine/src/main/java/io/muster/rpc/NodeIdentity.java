package io.muster.rpc;

import io.muster.codec.ValueCodec;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.ClusterIdentity;
import java.util.function.Supplier;

/**
 * Which node of which cluster this is.
 *
 * @param configured what the configuration says of the cluster; without an incarnation
 * @param incarnation the incarnation that this node knows of; gives an empty text until it knows any
 * @param empty whether the node's data directory held nothing when it started
 */
public record NodeIdentity(String nodeId, ClusterIdentity configured, Supplier<String> incarnation, boolean empty) {
    /** The name of the cluster. */
    public String clusterName() {
        return configured.clusterName();
    }

    /** What this node knows of the cluster by now. */
    public ClusterIdentity cluster() {
        return configured.of(incarnation.get());
    }

    /** How it introduces itself to other nodes. */
    Wire.Greeting greeting() {
        return Wire.Greeting.newBuilder()
                .setNodeId(nodeId)
                .setCluster(ValueCodec.encode(cluster()))
                .setEmpty(empty)
                .build();
    }
}
