package io.muster.runtime;

import java.nio.charset.StandardCharsets;

/** Which shard a group belongs to: the same on every node and gateway, for the life of a cluster. */
public final class ShardHash {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private ShardHash() {}

    /** @param shards number of shards, 1 or more; the answer is from 0 to {@code shards - 1} */
    public static int shardOf(String groupId, int shards) {
        long hash = FNV_OFFSET;
        for (byte each : groupId.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * FNV_PRIME;
        }
        hash ^= hash >>> 33;
        return (int) Long.remainderUnsigned(hash, shards);
    }
}
