package io.muster.rpc;

/** Which node of which cluster this is. */
public record NodeIdentity(String clusterName, String nodeId) {}
