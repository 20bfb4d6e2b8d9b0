package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one instance of a Streams application keeps between two heartbeats, and the requests that it makes of it. */
final class RandomInstance {
    private static final int REBALANCE_MILLIS = 300_000;
    private static final List<String> ROLES = List.of("activeTasks", "standbyTasks", "warmupTasks");

    private final RandomTarget target;
    private final RandomTopology topology;
    private final int number;
    private final @Nullable String instanceId;
    private int lives;
    private boolean in;
    private int epoch;
    private int settledEpoch = -1;
    private int endpointEpoch;
    private String processId;
    private @Nullable String rackId;
    private int port;
    private ArrayNode tags = RandomTarget.NODES.arrayNode();
    private ObjectNode before = nothing();
    private ObjectNode assigned = nothing();

    RandomInstance(RandomTarget target, RandomTopology topology, int number, @Nullable String instanceId) {
        this.target = target;
        this.topology = topology;
        this.number = number;
        this.instanceId = instanceId;
        this.processId = "p" + number / 2;
    }

    static ObjectNode nothing() {
        ObjectNode tasks = RandomTarget.NODES.objectNode();
        ROLES.forEach(tasks::putArray);
        return tasks;
    }

    String id() {
        return target.memberId("m" + number + "-" + lives);
    }

    boolean isIn() {
        return in;
    }

    boolean isStatic() {
        return instanceId != null;
    }

    int epoch() {
        return epoch;
    }

    ObjectNode assigned() {
        return assigned;
    }

    /** What it had before it was last told of an assignment. */
    ObjectNode before() {
        return before;
    }

    /** From now on, what went before its epoch is not the same on every target. */
    void noteSettled() {
        settledEpoch = epoch;
    }

    boolean isSettled() {
        return epoch == settledEpoch;
    }

    void forgetAll() {
        epoch = 0;
        endpointEpoch = 0;
        assigned = nothing();
        before = assigned;
    }

    void moveTo(String process) {
        processId = process;
    }

    void rack(String rack) {
        rackId = rack;
    }

    void listenOn(int newPort) {
        port = newPort;
    }

    void tag(String zone) {
        tags = RandomTarget.NODES.arrayNode();
        tags.addObject().put("key", "zone").put("value", zone);
    }

    /** Another process begins with the same instance id, or gives way to the old one again. */
    void swap(int step) {
        lives += step;
    }

    ObjectNode heartbeat() {
        ObjectNode body = RandomTarget.NODES.objectNode();
        body.put("groupId", target.unique("g")).put("memberId", id()).put("memberEpoch", epoch);
        body.put("endpointInformationEpoch", endpointEpoch);
        return instanceId == null ? body : body.put("instanceId", instanceId);
    }

    ObjectNode heartbeat(ObjectNode owned) {
        return heartbeat().setAll(owned.deepCopy());
    }

    /** Tells all that it knows of itself, but for the topology. */
    ObjectNode telling(ObjectNode owned) {
        ObjectNode body = heartbeat(owned).put("rebalanceTimeoutMs", REBALANCE_MILLIS);
        body.put("processId", processId).put("rackId", rackId).set("clientTags", tags);
        if (port > 0) {
            body.putObject("userEndpoint").put("host", "localhost").put("port", port);
        }
        return body;
    }

    /** A heartbeat of a process that begins; if it is let in, it has forgotten what it had. */
    ObjectNode asJoining() {
        ObjectNode body = telling(nothing()).put("memberEpoch", 0).put("endpointInformationEpoch", 0);
        return body.set("topology", topology.asJson(target));
    }

    /** Owns what it had in the first subtopology only. */
    ObjectNode partly() {
        ObjectNode some = nothing();
        for (JsonNode tasks : assigned.path("activeTasks")) {
            if (tasks.path("subtopologyId").asText().equals("0")) {
                some.withArray("activeTasks").add(tasks.deepCopy());
            }
        }
        return some;
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
        if (answer.path("activeTasks").isArray()) {
            before = assigned;
            assigned = nothing();
            ROLES.forEach(role -> assigned.set(role, answer.path(role).deepCopy()));
        }
        if (in) {
            endpointEpoch = answer.path("endpointInformationEpoch").asInt();
        } else {
            forgetAll();
        }
    }
}
