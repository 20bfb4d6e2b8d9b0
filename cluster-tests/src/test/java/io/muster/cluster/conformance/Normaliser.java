package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.protocol.Errors;

/** Turns a response into a form that is equal for equal behaviour on different runs and targets. */
final class Normaliser {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Pattern HEX_UUID =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern KAFKA_UUID = Pattern.compile("(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])");
    private static final String ZERO_UUID = "A".repeat(22);
    private static final Set<String> BROKERS = Set.of("nodeId", "brokerId", "leaderId", "controllerId");
    private static final Set<String> REPLICAS = Set.of("replicaNodes", "isrNodes", "offlineReplicas");
    private static final Set<String> MEMBERS = Set.of("memberId", "leader");

    private final String suffix;
    private final Map<String, String> known = new LinkedHashMap<>();
    private final Map<String, Integer> counters = new HashMap<>();

    /** @param suffix what makes the names of this run its own */
    Normaliser(String suffix) {
        this.suffix = suffix;
    }

    /** From now on, this text is written like that. */
    void know(String text, String stable) {
        if (!text.isEmpty() && !text.equals(ZERO_UUID)) {
            known.putIfAbsent(text, stable);
        }
    }

    /** Replaces what is known and nothing else, to look at a response before it is final. */
    JsonNode replaceKnown(JsonNode node) {
        if (node.isTextual()) {
            return TextNode.valueOf(text(node.asText()));
        }
        if (node.isArray()) {
            ArrayNode copy = NODES.arrayNode();
            node.forEach(element -> copy.add(replaceKnown(element)));
            return copy;
        }
        if (node.isObject()) {
            ObjectNode copy = NODES.objectNode();
            node.properties().forEach(each -> copy.set(each.getKey(), replaceKnown(each.getValue())));
            return copy;
        }
        return node;
    }

    /** Learns what the response names for the first time, and gives everything its stable form, arrays sorted. */
    ObjectNode normalise(JsonNode response, String api) {
        learn(response, "");
        return object(response, api);
    }

    private void learn(JsonNode node, String field) {
        if (node.isTextual()) {
            learnText(node.asText(), field);
        } else if (node.isArray()) {
            node.forEach(element -> learn(element, field));
        } else if (node.isObject()) {
            node.properties().forEach(each -> learn(each.getValue(), each.getKey()));
        }
    }

    private void learnText(String text, String field) {
        if (text.isEmpty() || known.containsKey(text)) {
            return;
        }
        if (MEMBERS.contains(field) && !text.contains("<") && looksGenerated(text)) {
            know(text, numbered("member"));
        } else if (field.equals("topicId")) {
            know(text, numbered("topic"));
        } else if (field.equals("clusterId")) {
            know(text, "<cluster>");
        } else {
            Matcher uuid = HEX_UUID.matcher(text(text));
            while (uuid.find()) {
                know(uuid.group(), numbered("uuid"));
            }
        }
    }

    private static boolean looksGenerated(String text) {
        return HEX_UUID.matcher(text).find() || KAFKA_UUID.matcher(text).matches();
    }

    private String numbered(String kind) {
        return "<" + kind + "-" + counters.merge(kind, 1, Integer::sum) + ">";
    }

    private String text(String raw) {
        List<String> longestFirst = new ArrayList<>(known.keySet());
        longestFirst.sort(Comparator.comparingInt(String::length).reversed());
        String text = raw;
        for (String each : longestFirst) {
            text = text.replace(each, known.get(each));
        }
        return text.replace("-" + suffix, "~").replace(suffix, "~");
    }

    private ObjectNode object(JsonNode node, String api) {
        ObjectNode copy = NODES.objectNode();
        for (Map.Entry<String, JsonNode> each : node.properties()) {
            String name = each.getKey();
            if (!name.equals("throttleTimeMs")) {
                copy.set(name.contains(suffix) ? text(name) : name, field(name, each.getValue(), api));
            }
        }
        return copy;
    }

    private JsonNode field(String name, JsonNode value, String api) {
        boolean endpointOfClient = api.startsWith("StreamsGroup");
        if (value.isNumber()) {
            return number(name, value, endpointOfClient);
        }
        if (REPLICAS.contains(name) && value.isArray()) {
            return NODES.numberNode(value.size());
        }
        boolean host = name.equals("clientHost") || (name.equals("host") && !endpointOfClient);
        if (host && value.isTextual()) {
            String stable = name.equals("host") ? "<host>" : "<client-host>";
            return TextNode.valueOf(value.asText().isEmpty() ? "" : stable);
        }
        return value(value, name, api);
    }

    private static JsonNode number(String name, JsonNode value, boolean endpointOfClient) {
        if (name.equals("errorCode")) {
            return TextNode.valueOf(
                    value.asInt() + " " + Errors.forCode((short) value.asInt()).name());
        }
        if (name.equals("port") && !endpointOfClient) {
            return TextNode.valueOf(value.asInt() <= 0 ? value.asText() : "<port>");
        }
        if (BROKERS.contains(name)) {
            return TextNode.valueOf(value.asInt() < 0 ? value.asText() : "<node>");
        }
        if (name.equals("producerId")) {
            return TextNode.valueOf(value.asLong() < 0 ? value.asText() : "<pid>");
        }
        return value;
    }

    private JsonNode value(JsonNode node, String field, String api) {
        if (node.isObject()) {
            return object(node, api);
        }
        if (node.isArray()) {
            return array(node, field, api);
        }
        if (node.isTextual()) {
            return TextNode.valueOf(text(node.asText()));
        }
        return node.isBinary() ? TextNode.valueOf(node.asText()) : node;
    }

    private ArrayNode array(JsonNode node, String field, String api) {
        List<JsonNode> elements = new ArrayList<>();
        for (JsonNode element : node) {
            if (!isOfOthers(element, field, api)) {
                elements.add(value(element, field, api));
            }
        }
        elements.sort(Normaliser::order);
        return NODES.arrayNode().addAll(elements);
    }

    /** Whether this is a group or topic that another case made. */
    private boolean isOfOthers(JsonNode element, String field, String api) {
        return switch (api) {
            case "ListGroups" ->
                field.equals("groups") && !element.path("groupId").asText().contains(suffix);
            case "Metadata" ->
                field.equals("topics")
                        && element.path("name").isTextual()
                        && !element.path("name").asText().contains(suffix);
            default -> false;
        };
    }

    private static int order(JsonNode a, JsonNode b) {
        return (a.isNumber() && b.isNumber())
                ? Double.compare(a.asDouble(), b.asDouble())
                : a.toString().compareTo(b.toString());
    }
}
