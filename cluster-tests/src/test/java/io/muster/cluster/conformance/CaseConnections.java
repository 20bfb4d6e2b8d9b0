package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.message.ApiMessageType;

/** The connections of one run of a case: each request goes to the node that a client would send it to. */
final class CaseConnections implements AutoCloseable {
    static final int ANSWER_MILLIS = 30_000;
    static final String CLIENT_ID = "conf";

    private static final Duration COORDINATOR_LIMIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 100;
    private static final byte GROUP = 0;
    private static final byte TRANSACTION = 1;
    private static final Set<ApiMessageType> OF_TRANSACTIONS = Set.of(
            ApiMessageType.INIT_PRODUCER_ID,
            ApiMessageType.ADD_PARTITIONS_TO_TXN,
            ApiMessageType.ADD_OFFSETS_TO_TXN,
            ApiMessageType.END_TXN);
    private static final Set<ApiMessageType> OF_GROUPS = Set.of(
            ApiMessageType.CONSUMER_GROUP_HEARTBEAT,
            ApiMessageType.CONSUMER_GROUP_DESCRIBE,
            ApiMessageType.STREAMS_GROUP_HEARTBEAT,
            ApiMessageType.STREAMS_GROUP_DESCRIBE,
            ApiMessageType.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE,
            ApiMessageType.SHARE_GROUP_HEARTBEAT,
            ApiMessageType.SHARE_GROUP_DESCRIBE,
            ApiMessageType.DESCRIBE_SHARE_GROUP_OFFSETS,
            ApiMessageType.ALTER_SHARE_GROUP_OFFSETS,
            ApiMessageType.DELETE_SHARE_GROUP_OFFSETS,
            ApiMessageType.DESCRIBE_GROUPS,
            ApiMessageType.DELETE_GROUPS,
            ApiMessageType.OFFSET_COMMIT,
            ApiMessageType.OFFSET_FETCH,
            ApiMessageType.OFFSET_DELETE,
            ApiMessageType.TXN_OFFSET_COMMIT,
            ApiMessageType.JOIN_GROUP,
            ApiMessageType.SYNC_GROUP,
            ApiMessageType.HEARTBEAT,
            ApiMessageType.LEAVE_GROUP);

    private final Target bootstrap;
    private final Map<Key, KafkaConnection> connections = new LinkedHashMap<>();
    private final Map<String, Target> coordinators = new HashMap<>();

    CaseConnections(Target bootstrap) {
        this.bootstrap = bootstrap;
    }

    private record Key(String name, Target node) {}

    static boolean isOfGroups(ApiMessageType api) {
        return OF_GROUPS.contains(api);
    }

    Target bootstrap() {
        return bootstrap;
    }

    /** The connection of this name to the coordinator that the request is for, or to where clients begin. */
    KafkaConnection coordinating(String name, ApiMessageType api, JsonNode body) throws IOException {
        String group = OF_GROUPS.contains(api) ? groupOf(body) : "";
        if (!group.isEmpty()) {
            return to(name, coordinator(group));
        }
        String transaction = OF_TRANSACTIONS.contains(api) ? transactionOf(body) : "";
        return to(name, transaction.isEmpty() ? bootstrap : coordinator(transaction, TRANSACTION));
    }

    /** The connection of this name to a node. */
    KafkaConnection to(String name, Target node) throws IOException {
        Key key = new Key(name, node);
        KafkaConnection open = connections.get(key);
        if (open == null) {
            open = new KafkaConnection(node);
            connections.put(key, open);
        }
        return open;
    }

    /** Asks the node where clients begin. */
    JsonNode call(ApiMessageType api, int version, ObjectNode body) throws IOException {
        KafkaConnection connection = to("setup", bootstrap);
        KafkaConnection.Sent request =
                connection.send(api, (short) version, CLIENT_ID, JsonMessages.request(api, body, (short) version));
        return JsonMessages.json(connection.receive(request, ANSWER_MILLIS), (short) version);
    }

    /** The node that coordinates a group. */
    Target coordinator(String group) throws IOException {
        return coordinator(group, GROUP);
    }

    void forgetCoordinators() {
        coordinators.clear();
    }

    void close(String name) throws IOException {
        for (Key key : List.copyOf(connections.keySet())) {
            if (key.name().equals(name)) {
                connections.remove(key).close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        coordinators.clear();
        for (Key key : List.copyOf(connections.keySet())) {
            connections.remove(key).close();
        }
    }

    private Target coordinator(String key, byte type) throws IOException {
        String known = type + "/" + key;
        Target found = coordinators.get(known);
        if (found == null) {
            found = findCoordinator(key, type);
            coordinators.put(known, found);
        }
        return found;
    }

    private Target findCoordinator(String key, byte type) throws IOException {
        Deadline deadline = Deadline.in(COORDINATOR_LIMIT);
        while (true) {
            ObjectNode body = JsonNodeFactory.instance.objectNode().put("keyType", type);
            body.putArray("coordinatorKeys").add(key);
            JsonNode answer = call(ApiMessageType.FIND_COORDINATOR, 4, body);
            JsonNode coordinator = answer.path("coordinators").path(0);
            if (coordinator.path("errorCode").asInt() == 0
                    && coordinator.path("port").asInt() > 0) {
                return new Target(
                        coordinator.path("host").asText(),
                        coordinator.path("port").asInt());
            }
            if (deadline.isPast()) {
                throw new IOException("no coordinator for " + key + ": " + answer);
            }
            Deadline.pass(POLL_MILLIS);
        }
    }

    private static String groupOf(JsonNode body) {
        if (body.has("groupId")) {
            return body.get("groupId").asText();
        }
        for (String field : List.of("groupIds", "groups", "groupsNames")) {
            JsonNode first = body.path(field).path(0);
            if (!first.isMissingNode()) {
                return first.isTextual()
                        ? first.asText()
                        : first.path("groupId").asText();
            }
        }
        return "";
    }

    private static String transactionOf(JsonNode body) {
        String id = body.path("transactionalId").asText("");
        return id.isEmpty() ? body.path("v3AndBelowTransactionalId").asText("") : id;
    }
}
