package io.muster.raft;

/**
 * One node of the Raft cluster.
 *
 * @param id unique in the cluster, at most 64 characters
 * @param address host and port of its Raft server
 */
public record RaftMember(String id, String address) {}
