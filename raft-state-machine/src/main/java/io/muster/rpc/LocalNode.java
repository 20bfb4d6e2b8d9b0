package io.muster.rpc;

import java.io.IOException;
import java.util.List;

/** What operators ask of this node itself. Any thread; every method may take seconds. */
public interface LocalNode {
    /** The shards as this node sees them, in order. */
    List<ShardState> shardStates();

    /**
     * Digest of all that a shard's store holds of groups, hexadecimal; equal on nodes that applied the same. Reads the whole store: may
     * take minutes.
     */
    String storeDigest(int shard);

    /**
     * Moves the leadership of a shard that this node leads.
     *
     * @param toNodeId empty for any other node
     * @throws IOException if it did not move
     */
    void transferLeadership(int shard, String toNodeId) throws IOException;

    /**
     * Takes a snapshot of a shard here.
     *
     * @return its log index
     * @throws IOException if it could not be taken
     */
    long takeSnapshot(int shard) throws IOException;

    /**
     * A shard on one node.
     *
     * @param role LEADER, FOLLOWER, CANDIDATE or LISTENER
     * @param leaderId empty if unknown
     * @param snapshotIndex log index of the newest snapshot, -1 if there is none
     * @param leaderChanges how often this node has heard of a new leader since it started
     */
    record ShardState(
            int shard,
            String role,
            String leaderId,
            long term,
            long appliedIndex,
            long commitIndex,
            long snapshotIndex,
            int featureLevel,
            long leaderChanges) {}
}
