package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiMessageType;

/** One target as the random members of a group see it: its topics, and names that are their own. */
final class RandomTarget implements AutoCloseable {
    static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final Duration MOVING_LIMIT = Duration.ofSeconds(20);
    private static final String PIPELINE = "pipeline";
    private static final long RETRY_MILLIS = 20;
    private static final int TOPIC_MILLIS = 20_000;

    private final Normaliser normaliser;
    private final Variables variables;
    private final CaseConnections connections;
    private final CaseSetup setup;

    RandomTarget(Target target, String suffix) {
        this.normaliser = new Normaliser(suffix);
        this.variables = new Variables(suffix, normaliser);
        this.connections = new CaseConnections(target);
        this.setup = new CaseSetup(connections, variables, normaliser);
    }

    /** The name that a topic or group has in this run. */
    String unique(String name) {
        return variables.unique(name);
    }

    /** The name without what makes it unique. */
    String plain(String uniqueName) {
        return variables.plain(uniqueName);
    }

    /** The id that a member has in each run. */
    String memberId(String name) {
        return variables.text(TextNode.valueOf("${u." + name + "}"));
    }

    /** What is the same in each run in place of a member's or topic's id. */
    String stable(String id) {
        return normaliser.replaceKnown(TextNode.valueOf(id)).asText();
    }

    /** The id of a topic that was created under this name. */
    String topicId(String name) {
        return variables.text(TextNode.valueOf("${id." + name + "}"));
    }

    /** The beginning of a request about the group. */
    ObjectNode groupBody() {
        return NODES.objectNode().put("groupId", unique("g"));
    }

    void createTopic(String name, int partitions) throws IOException {
        setup.createTopics(NODES.objectNode().put(name, partitions));
    }

    void deleteTopic(String name) throws IOException {
        ObjectNode body = NODES.objectNode().put("timeoutMs", TOPIC_MILLIS);
        body.putArray("topics").addObject().put("name", unique(name)).put("topicId", Uuid.ZERO_UUID.toString());
        require(connections.call(ApiMessageType.DELETE_TOPICS, 6, body).path("responses"));
    }

    void growTopic(String name, int partitions) throws IOException {
        ObjectNode body = NODES.objectNode().put("timeoutMs", TOPIC_MILLIS);
        body.putArray("topics")
                .addObject()
                .put("name", unique(name))
                .put("count", partitions)
                .putNull("assignments");
        require(connections.call(ApiMessageType.CREATE_PARTITIONS, 3, body).path("results"));
    }

    /** @param configs from keys to values */
    void setGroupConfigs(String group, ObjectNode configs) throws IOException {
        setup.setGroupConfigs(NODES.objectNode().set(group, configs));
    }

    /** The answer to a request; those about a coordinator on the move are waited out. */
    JsonNode call(ApiMessageType api, int version, ObjectNode body) throws IOException {
        Deadline deadline = Deadline.in(MOVING_LIMIT);
        while (true) {
            KafkaConnection connection = connections.coordinating("random", api, body);
            KafkaConnection.Sent request = connection.send(
                    api, (short) version, CaseConnections.CLIENT_ID, JsonMessages.request(api, body.deepCopy(), (short)
                            version));
            JsonNode answer =
                    JsonMessages.json(connection.receive(request, CaseConnections.ANSWER_MILLIS), (short) version);
            if (!isTransient(answer) || deadline.isPast()) {
                return answer;
            }
            connections.forgetCoordinators();
            Deadline.pass(RETRY_MILLIS);
        }
    }

    /**
     * The answers to requests that are sent in one write on the same connection.
     *
     * @param connect whether the connection is a new one
     */
    List<JsonNode> pipelined(List<PipelinedRequest> requests, boolean connect) throws IOException {
        if (connect) {
            disconnect();
        }
        KafkaConnection connection = connections.to(PIPELINE, connections.coordinator(unique("g")));
        List<JsonNode> answers = new ArrayList<>();
        for (KafkaConnection.Sent each : connection.sendAll(CaseConnections.CLIENT_ID, requests)) {
            answers.add(JsonMessages.json(connection.receive(each, CaseConnections.ANSWER_MILLIS), each.version()));
        }
        return answers;
    }

    /** Sends requests in one write and ends the connection as the pipeline wants it, without reading an answer. */
    void sendAndEnd(List<PipelinedRequest> requests, PipelinedRequest last, Pipeline pipeline) throws IOException {
        disconnect();
        KafkaConnection connection = connections.to(PIPELINE, connections.coordinator(unique("g")));
        if (!pipeline.begin().connect()) {
            KafkaConnection.Sent first = connection.send(
                    ApiMessageType.API_VERSIONS,
                    (short) 0,
                    CaseConnections.CLIENT_ID,
                    ApiMessageType.API_VERSIONS.newRequest());
            connection.receive(first, CaseConnections.ANSWER_MILLIS);
        }
        List<PipelinedRequest> all = new ArrayList<>(requests);
        all.add(last);
        connection.sendAll(CaseConnections.CLIENT_ID, all);
        if (pipeline.end() == Pipeline.End.CLOSED) {
            disconnect();
        } else {
            connection.shutDownOutput();
        }
    }

    /** Closes the connection of pipelines. */
    void disconnect() throws IOException {
        connections.close(PIPELINE);
    }

    private static boolean isTransient(JsonNode answer) {
        return CaseRun.isTransient(answer)
                || CaseRun.isTransient(answer.path("results").path(0));
    }

    @Override
    public void close() throws IOException {
        setup.deleteTopics();
        connections.close();
    }

    private static void require(JsonNode results) throws IOException {
        for (JsonNode each : results) {
            if (each.path("errorCode").asInt() != 0) {
                throw new IOException("topic cannot be changed: " + each);
            }
        }
    }
}
