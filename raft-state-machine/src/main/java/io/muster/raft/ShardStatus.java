package io.muster.raft;

/**
 * A shard as one node sees it.
 *
 * @param role LEADER, FOLLOWER, CANDIDATE or LISTENER
 * @param leaderId empty if unknown
 * @param leaderChanges how often this node has heard of a new leader since it started
 * @param snapshotIndex log index of the newest snapshot here, -1 if there is none
 */
public record ShardStatus(
        int shard,
        String role,
        String leaderId,
        long term,
        long appliedIndex,
        long commitIndex,
        long snapshotIndex,
        long leaderChanges) {}
