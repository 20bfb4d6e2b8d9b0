package io.muster.simulation;

import io.muster.core.TopicInfo;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** The topics of the simulated upstream cluster; every name exists. */
final class SimulatedTopics {
    static final List<String> NAMES = List.of("orders", "payments");
    private static final int PARTITIONS = 3;

    private SimulatedTopics() {}

    static TopicInfo topic(String name) {
        return new TopicInfo(name, UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)), PARTITIONS);
    }

    static String nameOf(UUID id) {
        return NAMES.stream()
                .filter(name -> topic(name).id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
