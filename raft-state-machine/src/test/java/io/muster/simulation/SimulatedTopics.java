package io.muster.simulation;

import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.TopicInfo;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The topics of the simulated upstream cluster; every name exists. */
final class SimulatedTopics {
    static final List<String> NAMES = List.of("orders", "payments");
    private static final int PARTITIONS = 3;

    /** The subtopology that reads the first topic. */
    static final String SUBTOPOLOGY = "0";

    private SimulatedTopics() {}

    static TopicInfo topic(String name) {
        return new TopicInfo(name, UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)), PARTITIONS);
    }

    static String sourceOf(String subtopology) {
        if (!subtopology.equals(SUBTOPOLOGY)) {
            throw new IllegalArgumentException("no such subtopology: " + subtopology);
        }
        return NAMES.get(0);
    }

    static Set<TopicPartition> partitionsOf(List<String> names) {
        Set<TopicPartition> partitions = new HashSet<>();
        for (String name : names) {
            for (int number = 0; number < PARTITIONS; number++) {
                partitions.add(new TopicPartition(name, number));
            }
        }
        return partitions;
    }

    static String nameOf(UUID id) {
        return NAMES.stream()
                .filter(name -> topic(name).id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
