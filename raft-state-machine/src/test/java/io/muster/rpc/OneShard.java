package io.muster.rpc;

import io.muster.codec.ValueCodec;
import io.muster.core.ClaimMarks;
import io.muster.core.Command;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.rpc.proto.Wire;
import io.muster.runtime.ClusterIdentity;
import io.muster.runtime.GroupSummary;
import io.muster.runtime.TopicReport;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The only shard, led here; it refuses every command. */
class OneShard implements LocalShards {
    static final NodeIdentity NODE =
            new NodeIdentity("node1", new ClusterIdentity("muster", "", 1, List.of("node1")), () -> "", false);

    /** The first frame of a gateway. */
    static Wire.GatewayFrame hello(String gatewayId) {
        return Wire.GatewayFrame.newBuilder()
                .setHello(Wire.Hello.newBuilder()
                        .setCluster(ValueCodec.encode(NODE.configured()))
                        .setGatewayId(gatewayId))
                .build();
    }

    @Override
    public int count() {
        return 1;
    }

    @Override
    public ShardLeadership leadership(int shard) {
        return new ShardLeadership(shard, 1, "node1", true);
    }

    @Override
    public CompletableFuture<Response> submit(Command command) {
        return CompletableFuture.completedFuture(new Response.Refused(GroupError.GROUP_ID_NOT_FOUND, "none"));
    }

    @Override
    public CompletableFuture<List<GroupSummary>> listGroups(int shard) {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletableFuture<Response> raiseFeatureLevel(int shard, int level) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ClaimMarks claimMarks(int shard) {
        return ClaimMarks.NONE;
    }

    @Override
    public void topicsReported(int shard, TopicReport report) {}

    @Override
    public void topicsCreated() {}
}
