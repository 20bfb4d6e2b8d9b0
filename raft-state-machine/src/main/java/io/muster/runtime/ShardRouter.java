package io.muster.runtime;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Maps group ids to shards. The mapping is the same on every node and in every version, and the number of shards is fixed when a
 * cluster is created.
 *
 * @param shards number of shards, 1 or more
 */
public record ShardRouter(int shards) {
    public ShardRouter {
        if (shards < 1) {
            throw new IllegalArgumentException("a cluster has at least one shard, not " + shards);
        }
    }

    /** The shard of a group, from 0. */
    public int shardOf(String groupId) {
        CRC32C hash = new CRC32C();
        hash.update(groupId.getBytes(StandardCharsets.UTF_8));
        return (int) (hash.getValue() % shards);
    }
}
