package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The topologies that random Streams groups have. A group keeps its own: Kafka 4.4 has no updates. */
enum RandomTopology {
    STATELESS,
    STATEFUL,
    REPARTITIONED,
    /** Reads a topic that comes and goes. */
    WAITING;

    static RandomTopology of(long seed) {
        return values()[(int) Math.floorMod(seed, (long) values().length)];
    }

    boolean hasInternalTopics() {
        return this == STATEFUL || this == REPARTITIONED;
    }

    ObjectNode asJson(RandomTarget target) {
        ObjectNode topology = RandomTarget.NODES.objectNode().put("epoch", 0);
        ArrayNode subtopologies = topology.putArray("subtopologies");
        ObjectNode first = subtopology(subtopologies, "0");
        first.withArray("sourceTopics").add(target.unique("foo"));
        switch (this) {
            case STATELESS ->
                subtopology(subtopologies, "1").withArray("sourceTopics").add(target.unique("bar"));
            case STATEFUL -> internal(first, "stateChangelogTopics", target.unique("store-changelog"));
            case REPARTITIONED -> {
                first.withArray("repartitionSinkTopics").add(target.unique("rep"));
                ObjectNode second = subtopology(subtopologies, "1");
                internal(second, "repartitionSourceTopics", target.unique("rep"));
                internal(second, "stateChangelogTopics", target.unique("agg-changelog"));
            }
            case WAITING ->
                subtopology(subtopologies, "1").withArray("sourceTopics").add(target.unique("baz"));
        }
        return topology;
    }

    private static ObjectNode subtopology(ArrayNode subtopologies, String id) {
        ObjectNode subtopology = subtopologies.addObject().put("subtopologyId", id);
        subtopology.putArray("sourceTopics");
        subtopology.putArray("sourceTopicRegex");
        subtopology.putArray("stateChangelogTopics");
        subtopology.putArray("repartitionSinkTopics");
        subtopology.putArray("repartitionSourceTopics");
        subtopology.putArray("copartitionGroups");
        return subtopology;
    }

    private static void internal(ObjectNode subtopology, String role, String name) {
        subtopology
                .withArray(role)
                .addObject()
                .put("name", name)
                .put("partitions", 0)
                .put("replicationFactor", 1)
                .putArray("topicConfigs");
    }
}
