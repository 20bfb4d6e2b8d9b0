package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one consumer keeps between two heartbeats, and the requests that it makes of it. */
final class RandomConsumer {
    static final List<List<String>> SUBSCRIPTIONS =
            List.of(List.of("foo"), List.of("foo", "bar"), List.of("bar"), List.of("bar", "baz"));

    private static final int REBALANCE_MILLIS = 300_000;

    private final RandomTarget target;
    private final int number;
    private final @Nullable String instanceId;
    private int lives;
    private boolean in;
    private int epoch;
    private int settledEpoch = -1;
    private int subscription;
    private @Nullable String assignor;
    private @Nullable String rackId;
    private JsonNode before = RandomTarget.NODES.arrayNode();
    private JsonNode assigned = RandomTarget.NODES.arrayNode();

    RandomConsumer(RandomTarget target, int number, @Nullable String instanceId) {
        this.target = target;
        this.number = number;
        this.instanceId = instanceId;
    }

    String id() {
        return target.memberId("m" + number + "-" + lives);
    }

    /** Whether it is in the group, for all it knows. */
    boolean isIn() {
        return in;
    }

    boolean isStatic() {
        return instanceId != null;
    }

    int epoch() {
        return epoch;
    }

    boolean subscribesTo(String topic) {
        return in && SUBSCRIPTIONS.get(subscription).contains(topic);
    }

    /** From now on, what went before its epoch is not the same on every target. */
    void noteSettled() {
        settledEpoch = epoch;
    }

    boolean isSettled() {
        return epoch == settledEpoch;
    }

    JsonNode assigned() {
        return assigned;
    }

    /** What it had before it was last told of an assignment. */
    JsonNode before() {
        return before;
    }

    void subscribe(int choice) {
        subscription = choice % SUBSCRIPTIONS.size();
    }

    void prefer(@Nullable String serverAssignor) {
        assignor = serverAssignor;
    }

    void moveTo(String rack) {
        rackId = rack;
    }

    void forgetAll() {
        epoch = 0;
        assigned = RandomTarget.NODES.arrayNode();
        before = assigned;
    }

    /** Another process begins with the same instance id, or gives way to the old one again. */
    void swap(int step) {
        lives += step;
    }

    ObjectNode heartbeat() {
        ObjectNode body = RandomTarget.NODES.objectNode();
        body.put("groupId", target.unique("g")).put("memberId", id()).put("memberEpoch", epoch);
        return instanceId == null ? body : body.put("instanceId", instanceId);
    }

    ObjectNode heartbeat(JsonNode owned) {
        return heartbeat().set("topicPartitions", owned);
    }

    ObjectNode full(JsonNode owned) {
        ObjectNode body = heartbeat(owned).put("rebalanceTimeoutMs", REBALANCE_MILLIS);
        body.put("serverAssignor", assignor).put("rackId", rackId);
        ArrayNode topics = body.putArray("subscribedTopicNames");
        SUBSCRIPTIONS.get(subscription).forEach(topic -> topics.add(target.unique(topic)));
        return body;
    }

    /** A heartbeat of a process that begins; if it is let in, it has forgotten what it had. */
    ObjectNode asJoining() {
        return full(RandomTarget.NODES.arrayNode()).put("memberEpoch", 0);
    }

    /** Owns what it had in the first topic only. */
    JsonNode partly() {
        TreeMap<String, JsonNode> byName = new TreeMap<>();
        assigned.forEach(topic -> byName.put(target.stable(topic.path("topicId").asText()), topic));
        ArrayNode first = RandomTarget.NODES.arrayNode();
        Map.Entry<String, JsonNode> entry = byName.firstEntry();
        if (entry != null) {
            first.add(entry.getValue().deepCopy());
        }
        return first;
    }

    void take(JsonNode answer) {
        int error = answer.path("errorCode").asInt();
        if (error == 25) {
            in = false;
        }
        if (error != 0) {
            return;
        }
        epoch = Math.max(0, answer.path("memberEpoch").asInt());
        in = answer.path("memberEpoch").asInt() != -1;
        JsonNode told = answer.path("assignment");
        if (told.isObject()) {
            before = assigned;
            assigned = told.path("topicPartitions");
        }
        if (!in) {
            forgetAll();
        }
    }
}
