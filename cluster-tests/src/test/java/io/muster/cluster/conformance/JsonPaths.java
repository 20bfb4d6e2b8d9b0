package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Changes what JSON pointers point at, in which a segment may be a star. */
final class JsonPaths {
    private static final String EACH = "*";

    private JsonPaths() {}

    static void remove(JsonNode root, String pointer) {
        change(root, segments(pointer), value -> Optional.empty());
    }

    /** Puts the length of an array into its place, where Kafka promises a number but not which ones. */
    static void count(JsonNode root, String pointer) {
        replace(root, pointer, value -> value.isArray() ? IntNode.valueOf(value.size()) : value);
    }

    static void replace(JsonNode root, String pointer, Function<JsonNode, JsonNode> change) {
        change(root, segments(pointer), change.andThen(Optional::of));
    }

    /**
     * Keeps some elements of an array.
     *
     * @param choice {@code {at: /pointer, field: name, in: [values]}}
     */
    static void keepOnly(JsonNode root, JsonNode choice) {
        replace(root, choice.get("at").asText(), value -> {
            if (value instanceof ArrayNode array) {
                for (int i = array.size() - 1; i >= 0; i--) {
                    if (!isChosen(array.get(i), choice)) {
                        array.remove(i);
                    }
                }
            }
            return value;
        });
    }

    private static boolean isChosen(JsonNode element, JsonNode choice) {
        String value = element.path(choice.get("field").asText()).asText();
        for (JsonNode wanted : choice.get("in")) {
            if (wanted.asText().equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static List<String> segments(String pointer) {
        return List.of(pointer.substring(1).split("/"));
    }

    private static void change(JsonNode node, List<String> path, Function<JsonNode, Optional<JsonNode>> change) {
        if (node instanceof ObjectNode object) {
            List<String> names = object.propertyStream().map(Map.Entry::getKey).toList();
            for (String name : names) {
                if (matches(path, name)) {
                    changeField(object, name, path, change);
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = array.size() - 1; i >= 0; i--) {
                if (matches(path, Integer.toString(i))) {
                    changeElement(array, i, path, change);
                }
            }
        }
    }

    private static boolean matches(List<String> path, String name) {
        return path.get(0).equals(EACH) || path.get(0).equals(name);
    }

    private static void changeField(
            ObjectNode object, String name, List<String> path, Function<JsonNode, Optional<JsonNode>> change) {
        if (path.size() > 1) {
            change(object.get(name), path.subList(1, path.size()), change);
            return;
        }
        change.apply(object.get(name)).ifPresentOrElse(value -> object.set(name, value), () -> object.remove(name));
    }

    private static void changeElement(
            ArrayNode array, int index, List<String> path, Function<JsonNode, Optional<JsonNode>> change) {
        if (path.size() > 1) {
            change(array.get(index), path.subList(1, path.size()), change);
            return;
        }
        change.apply(array.get(index)).ifPresentOrElse(value -> array.set(index, value), () -> array.remove(index));
    }
}
