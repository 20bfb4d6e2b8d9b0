package io.muster.gateway.coordinator;

/**
 * Names a watch over topics that this gateway has for a shard.
 *
 * @param nodeId the node that gave it
 * @param number rises with each lease of that node
 */
public record TopicLease(String nodeId, int shard, long number) {}
