package io.muster.core;

import java.util.UUID;

/**
 * What is known of one topic of the upstream cluster.
 *
 * @param id Kafka's topic id
 * @param partitions number of partitions, 1 or more
 * @param racks where the partitions have replicas, as far as is known
 */
public record TopicInfo(String name, UUID id, int partitions, PartitionRacks racks) {
    /** A topic of whose replicas nothing is known. */
    public TopicInfo(String name, UUID id, int partitions) {
        this(name, id, partitions, PartitionRacks.UNKNOWN);
    }

    public TopicInfo withRacks(PartitionRacks next) {
        return new TopicInfo(name, id, partitions, next);
    }

    /** This topic; if nothing is known of its replicas, they are where they were when it was known as {@code before}. */
    public TopicInfo orRacksOf(TopicInfo before) {
        return racks.isKnown() || !id.equals(before.id) ? this : withRacks(before.racks);
    }
}
