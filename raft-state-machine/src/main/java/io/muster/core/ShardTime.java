package io.muster.core;

/**
 * A logical time of one shard: each admission of commits has a later one than all that its leaders decided before. Whoever has heard of
 * a time from a leader knows that what happened up to it is past, whatever any clock says.
 *
 * @param shard the shard's number; times of different shards say nothing of each other
 * @param term Raft term of the leader
 * @param number counts within the term
 */
public record ShardTime(int shard, long term, long number) {
    /** Before everything. */
    public static final ShardTime NONE = new ShardTime(0, 0, 0);

    /** Whether this is the time of another one of the same shard, or later. */
    public boolean hasReached(ShardTime other) {
        return shard == other.shard && (term > other.term || (term == other.term && number >= other.number));
    }
}
