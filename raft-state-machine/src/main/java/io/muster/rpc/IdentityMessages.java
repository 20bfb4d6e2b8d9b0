package io.muster.rpc;

import io.muster.rpc.proto.Wire;
import io.muster.runtime.ClusterIdentity;

/** Translates who somebody is. */
public final class IdentityMessages {
    private IdentityMessages() {}

    /** The message of a cluster's identity. */
    public static Wire.ClusterIdentity encode(ClusterIdentity identity) {
        return Wire.ClusterIdentity.newBuilder()
                .setClusterName(identity.clusterName())
                .setIncarnation(identity.incarnation())
                .setShards(identity.shards())
                .addAllNodeIds(identity.nodeIds())
                .build();
    }

    /** The identity of a message. */
    public static ClusterIdentity decode(Wire.ClusterIdentity message) {
        return new ClusterIdentity(
                message.getClusterName(), message.getIncarnation(), message.getShards(), message.getNodeIdsList());
    }

    static Wire.Greeting greeting(NodeIdentity self) {
        return Wire.Greeting.newBuilder()
                .setNodeId(self.nodeId())
                .setCluster(encode(self.cluster()))
                .setEmpty(self.empty())
                .build();
    }
}
