package io.muster.rpc;

import io.muster.core.ClaimMarks;
import io.muster.core.Command;
import io.muster.core.Response;
import io.muster.runtime.GroupSummary;
import io.muster.runtime.TopicReport;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The shards as they stand on this node: what the services need of it. Any thread; nothing blocks. */
public interface LocalShards {
    /** Number of shards of the cluster, 1 or more. */
    int count();

    /** @param shard 0 to {@code count() - 1} */
    ShardLeadership leadership(int shard);

    /** Decides on a command if this node leads its shard; completes with the answer. */
    CompletableFuture<Response> submit(Command command);

    /** The groups of a shard that this node leads; completes exceptionally if it does not. */
    CompletableFuture<List<GroupSummary>> listGroups(int shard);

    /** Raises a shard that this node leads to a feature level; completes with the answer. */
    CompletableFuture<Response> raiseFeatureLevel(int shard, int level);

    /** By what this node tells the shard's claims upstream from those of another cluster of the same name. */
    ClaimMarks claimMarks(int shard);

    /** What a gateway found out about topics that the shard watches. */
    void topicsReported(int shard, TopicReport report);

    /** A gateway saw topics being created. */
    void topicsCreated();
}
