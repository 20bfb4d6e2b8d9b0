package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One instance of a Streams application. */
final class RandomInstance extends RandomMember {
    private static final List<String> ROLES = List.of("activeTasks", "standbyTasks", "warmupTasks");

    private final RandomTarget target;
    private final RandomTopology topology;
    private int endpointEpoch;
    private String processId;
    private @Nullable String rackId;
    private int port;
    private ArrayNode tags = RandomTarget.NODES.arrayNode();

    RandomInstance(RandomTarget target, RandomTopology topology, int number, @Nullable String instanceId) {
        super(target, number, instanceId);
        this.target = target;
        this.topology = topology;
        this.processId = "p" + number / 2;
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

    @Override
    ObjectNode nothing() {
        ObjectNode tasks = RandomTarget.NODES.objectNode();
        ROLES.forEach(tasks::putArray);
        return tasks;
    }

    @Override
    ObjectNode heartbeat() {
        return super.heartbeat().put("endpointInformationEpoch", endpointEpoch);
    }

    @Override
    ObjectNode heartbeat(JsonNode owned) {
        return heartbeat().setAll((ObjectNode) owned.deepCopy());
    }

    /** Tells all but the topology. */
    @Override
    ObjectNode full(JsonNode owned) {
        ObjectNode body = heartbeat(owned).put("rebalanceTimeoutMs", REBALANCE_MILLIS);
        body.put("processId", processId).put("rackId", rackId).set("clientTags", tags);
        if (port > 0) {
            body.putObject("userEndpoint").put("host", "localhost").put("port", port);
        }
        return body;
    }

    @Override
    ObjectNode asJoining() {
        ObjectNode body = full(nothing()).put("memberEpoch", 0).put("endpointInformationEpoch", 0);
        return body.set("topology", topology.asJson(target));
    }

    /** What it has in the first subtopology. */
    @Override
    JsonNode partly() {
        ObjectNode some = nothing();
        for (JsonNode tasks : assigned().path("activeTasks")) {
            if (tasks.path("subtopologyId").asText().equals("0")) {
                some.withArray("activeTasks").add(tasks.deepCopy());
            }
        }
        return some;
    }

    @Override
    Optional<JsonNode> told(JsonNode answer) {
        if (!answer.path("activeTasks").isArray()) {
            return Optional.empty();
        }
        ObjectNode told = nothing();
        ROLES.forEach(role -> told.set(role, answer.path(role).deepCopy()));
        return Optional.of(told);
    }

    @Override
    void forgetAll() {
        super.forgetAll();
        endpointEpoch = 0;
    }

    @Override
    void take(JsonNode answer) {
        super.take(answer);
        if (isIn() && answer.path("errorCode").asInt() == 0) {
            endpointEpoch = answer.path("endpointInformationEpoch").asInt();
        }
    }
}
