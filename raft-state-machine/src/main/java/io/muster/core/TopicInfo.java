package io.muster.core;

import java.util.UUID;

/**
 * What is known of one topic of the upstream cluster.
 *
 * @param id Kafka's topic id
 * @param partitions number of partitions, 1 or more
 */
public record TopicInfo(String name, UUID id, int partitions) {}
