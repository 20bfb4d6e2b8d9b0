package io.muster.rpc;

/**
 * Who leads a shard, as this node knows it.
 *
 * @param term Raft term of that knowledge; the higher one is right
 * @param leaderId node id, empty if unknown
 * @param here whether this node leads and is ready to decide
 */
public record ShardLeadership(int shard, long term, String leaderId, boolean here) {}
