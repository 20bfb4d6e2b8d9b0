package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiMessageType;

/** Makes the topics and group configurations that a script asks for, and waits until they can be seen. */
final class CaseSetup {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final long POLL_MILLIS = 50;
    private static final int GROUP_RESOURCE = 32;
    private static final int JOIN = 0;
    private static final int LEAVE = -1;

    private final CaseConnections connections;
    private final Variables variables;
    private final Normaliser normaliser;
    private final List<String> topics = new ArrayList<>();

    CaseSetup(CaseConnections connections, Variables variables, Normaliser normaliser) {
        this.connections = connections;
        this.variables = variables;
        this.normaliser = normaliser;
    }

    /** @param wanted from names to numbers of partitions or to {@code {partitions, configs}}; may be missing */
    void createTopics(JsonNode wanted) throws IOException {
        if (wanted.isEmpty()) {
            return;
        }
        Map<String, JsonNode> byName = new LinkedHashMap<>();
        wanted.properties().forEach(each -> byName.put(topicName(each.getKey()), each.getValue()));
        ObjectNode body = NODES.objectNode().put("timeoutMs", LIMIT.toMillis());
        ArrayNode requested = body.putArray("topics");
        byName.forEach((name, topic) -> requested.add(creation(name, topic)));
        for (JsonNode created :
                connections.call(ApiMessageType.CREATE_TOPICS, 7, body).path("topics")) {
            noteTopic(created);
        }
        Deadline deadline = Deadline.in(LIMIT);
        while (!topicsUp(byName)) {
            pollUntil(deadline, "topics do not come up: " + byName);
        }
        while (!isAssigned(byName.keySet())) {
            pollUntil(deadline, "the coordinator does not see topics: " + byName);
        }
    }

    void deleteTopics() throws IOException {
        if (topics.isEmpty()) {
            return;
        }
        ObjectNode body = NODES.objectNode().put("timeoutMs", 5_000);
        ArrayNode requested = body.putArray("topics");
        topics.forEach(name -> requested.addObject().put("name", name).put("topicId", Uuid.ZERO_UUID.toString()));
        connections.call(ApiMessageType.DELETE_TOPICS, 6, body);
    }

    /** @param wanted from groups to their keys and values; may be missing */
    void setGroupConfigs(JsonNode wanted) throws IOException {
        if (wanted.isEmpty()) {
            return;
        }
        ObjectNode body = NODES.objectNode().put("validateOnly", false);
        ArrayNode resources = body.putArray("resources");
        wanted.properties().forEach(group -> {
            ArrayNode configs = groupResource(resources, group.getKey()).putArray("configs");
            group.getValue()
                    .properties()
                    .forEach(config -> configs.addObject()
                            .put("name", config.getKey())
                            .put("configOperation", 0)
                            .put("value", config.getValue().asText()));
        });
        for (JsonNode each : connections
                .call(ApiMessageType.INCREMENTAL_ALTER_CONFIGS, 1, body)
                .path("responses")) {
            require(each, "cannot set group config");
        }
        Deadline deadline = Deadline.in(LIMIT);
        while (!groupConfigsUp(wanted)) {
            pollUntil(deadline, "group configs do not become visible: " + wanted);
        }
        // A broker learns of changes in their order: once the coordinator sees a later topic, it has seen the configs.
        createTopics(NODES.objectNode().put("after-configs-" + Uuid.randomUuid(), 1));
    }

    /** Whether the coordinator assigns the topics to a member that asks for them, in a group of its own. */
    private boolean isAssigned(Set<String> names) throws IOException {
        String group = "probe-" + Uuid.randomUuid();
        connections.coordinator(group);
        ObjectNode member = NODES.objectNode()
                .put("groupId", group)
                .put("memberId", Uuid.randomUuid().toString())
                .put("memberEpoch", JOIN)
                .put("rebalanceTimeoutMs", LIMIT.toMillis());
        ArrayNode subscription = member.putArray("subscribedTopicNames");
        names.forEach(subscription::add);
        member.putArray("topicPartitions");
        JsonNode joined = connections.call(ApiMessageType.CONSUMER_GROUP_HEARTBEAT, 1, member);
        connections.call(ApiMessageType.CONSUMER_GROUP_HEARTBEAT, 1, member.put("memberEpoch", LEAVE));
        return joined.path("assignment").path("topicPartitions").size() == names.size();
    }

    private String topicName(String name) {
        return name.contains("${") ? variables.text(TextNode.valueOf(name)) : variables.unique(name);
    }

    private static ObjectNode creation(String name, JsonNode topic) {
        ObjectNode creation = NODES.objectNode()
                .put("name", name)
                .put("numPartitions", partitions(topic))
                .put("replicationFactor", 1);
        ArrayNode configs = creation.putArray("configs");
        topic.path("configs")
                .properties()
                .forEach(config -> configs.addObject()
                        .put("name", config.getKey())
                        .put("value", config.getValue().asText()));
        return creation;
    }

    private static int partitions(JsonNode topic) {
        return topic.isInt() ? topic.asInt() : topic.path("partitions").asInt(1);
    }

    private void noteTopic(JsonNode created) throws IOException {
        require(created, "cannot create topic");
        String name = created.path("name").asText();
        topics.add(name);
        String plain = variables.plain(name);
        variables.set("id." + plain, created.get("topicId"));
        normaliser.know(created.path("topicId").asText(), "<id." + plain + ">");
    }

    private boolean topicsUp(Map<String, JsonNode> wanted) throws IOException {
        ObjectNode body = NODES.objectNode();
        ArrayNode names = body.putArray("topics");
        wanted.keySet().forEach(name -> names.addObject().put("name", name));
        for (JsonNode topic :
                connections.call(ApiMessageType.METADATA, 12, body).path("topics")) {
            JsonNode creation = wanted.get(topic.path("name").asText());
            if (creation == null || !isUp(topic, partitions(creation))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUp(JsonNode topic, int partitions) {
        boolean up =
                topic.path("errorCode").asInt() == 0 && topic.path("partitions").size() == partitions;
        for (JsonNode partition : topic.path("partitions")) {
            up &= partition.path("errorCode").asInt() == 0
                    && partition.path("leaderId").asInt() >= 0;
        }
        return up;
    }

    private boolean groupConfigsUp(JsonNode wanted) throws IOException {
        ObjectNode body = NODES.objectNode();
        ArrayNode resources = body.putArray("resources");
        wanted.properties()
                .forEach(group -> groupResource(resources, group.getKey()).putNull("configurationKeys"));
        Map<String, JsonNode> found = new HashMap<>();
        connections
                .call(ApiMessageType.DESCRIBE_CONFIGS, 4, body)
                .path("results")
                .forEach(result -> found.put(result.path("resourceName").asText(), result.path("configs")));
        return wanted.properties().stream()
                .allMatch(group -> holds(found.get(variables.unique(group.getKey())), group.getValue()));
    }

    private static boolean holds(JsonNode configs, JsonNode wanted) {
        Map<String, String> values = new HashMap<>();
        configs.forEach(config ->
                values.put(config.path("name").asText(), config.path("value").asText()));
        return wanted.properties().stream()
                .allMatch(each -> each.getValue().asText().equals(values.get(each.getKey())));
    }

    private ObjectNode groupResource(ArrayNode resources, String group) {
        return resources.addObject().put("resourceType", GROUP_RESOURCE).put("resourceName", variables.unique(group));
    }

    private static void pollUntil(Deadline deadline, String complaint) throws IOException {
        if (deadline.isPast()) {
            throw new IOException(complaint);
        }
        Deadline.pass(POLL_MILLIS);
    }

    private static void require(JsonNode answer, String complaint) throws IOException {
        if (answer.path("errorCode").asInt() != 0) {
            throw new IOException(complaint + ": " + answer);
        }
    }
}
