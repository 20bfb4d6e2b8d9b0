package io.muster.codec;

import io.muster.codec.proto.Records;
import io.muster.runtime.ClusterIdentity;

/** Translates what a cluster was founded with. */
final class ClusterIdentityCodec {
    private ClusterIdentityCodec() {}

    static Records.ClusterIdentity encode(ClusterIdentity identity) {
        return Records.ClusterIdentity.newBuilder()
                .setClusterName(identity.clusterName())
                .setIncarnation(identity.incarnation())
                .setShards(identity.shards())
                .addAllNodeIds(identity.nodeIds())
                .build();
    }

    static ClusterIdentity decode(Records.ClusterIdentity message) {
        return new ClusterIdentity(
                message.getClusterName(), message.getIncarnation(), message.getShards(), message.getNodeIdsList());
    }
}
