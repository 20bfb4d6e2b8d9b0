package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One consumer. */
final class RandomConsumer extends RandomMember {
    private static final List<List<String>> SUBSCRIPTIONS =
            List.of(List.of("foo"), List.of("foo", "bar"), List.of("bar"), List.of("bar", "baz"));

    private final RandomTarget target;
    private int subscription;
    private @Nullable String assignor;
    private @Nullable String rackId;

    RandomConsumer(RandomTarget target, int number, @Nullable String instanceId) {
        super(target, number, instanceId);
        this.target = target;
    }

    boolean subscribesTo(String topic) {
        return isIn() && SUBSCRIPTIONS.get(subscription).contains(topic);
    }

    void subscribe(int choice) {
        subscription = choice % SUBSCRIPTIONS.size();
    }

    void prefer(String serverAssignor) {
        assignor = serverAssignor;
    }

    void moveTo(String rack) {
        rackId = rack;
    }

    @Override
    JsonNode nothing() {
        return RandomTarget.NODES.arrayNode();
    }

    @Override
    ObjectNode heartbeat(JsonNode owned) {
        return heartbeat().set("topicPartitions", owned);
    }

    @Override
    ObjectNode full(JsonNode owned) {
        ObjectNode body = heartbeat(owned).put("rebalanceTimeoutMs", REBALANCE_MILLIS);
        body.put("serverAssignor", assignor).put("rackId", rackId);
        ArrayNode topics = body.putArray("subscribedTopicNames");
        SUBSCRIPTIONS.get(subscription).forEach(topic -> topics.add(target.unique(topic)));
        return body;
    }

    @Override
    ObjectNode asJoining() {
        return full(nothing()).put("memberEpoch", 0);
    }

    /** What it has in the first topic. */
    @Override
    JsonNode partly() {
        TreeMap<String, JsonNode> byName = new TreeMap<>();
        assigned()
                .forEach(topic -> byName.put(target.stable(topic.path("topicId").asText()), topic));
        ArrayNode first = RandomTarget.NODES.arrayNode();
        Map.Entry<String, JsonNode> entry = byName.firstEntry();
        if (entry != null) {
            first.add(entry.getValue().deepCopy());
        }
        return first;
    }

    @Override
    Optional<JsonNode> told(JsonNode answer) {
        JsonNode told = answer.path("assignment");
        return told.isObject() ? Optional.of(told.path("topicPartitions")) : Optional.empty();
    }
}
