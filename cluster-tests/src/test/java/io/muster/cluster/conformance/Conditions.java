package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** Whether a response is the one that a script waits for. */
record Conditions(Variables variables, Normaliser normaliser) {
    /** @param wanted from JSON pointers to values or to {@code {notNull, size, ge, gt, ne, count}}, and other settings */
    boolean hold(JsonNode wanted, JsonNode response) {
        JsonNode view = normaliser.replaceKnown(response);
        return wanted.properties().stream()
                .filter(each -> each.getKey().startsWith("/"))
                .allMatch(each -> holds(each.getValue(), view.at(each.getKey())));
    }

    private boolean holds(JsonNode wanted, JsonNode actual) {
        return wanted.isObject()
                ? wanted.properties().stream().allMatch(each -> holds(each, actual))
                : same(rendered(wanted), actual);
    }

    private boolean holds(Map.Entry<String, JsonNode> condition, JsonNode actual) {
        JsonNode wanted = condition.getValue();
        return switch (condition.getKey()) {
            case "notNull" -> wanted.asBoolean() != (actual.isMissingNode() || actual.isNull());
            case "size" -> actual.isArray() && actual.size() == wanted.asInt();
            case "ge" -> actual.asInt(Integer.MIN_VALUE) >= rendered(wanted).asInt();
            case "gt" -> actual.asInt(Integer.MIN_VALUE) > rendered(wanted).asInt();
            case "ne" -> !same(rendered(wanted), actual);
            case "count" -> partitions(actual) == wanted.asInt();
            default -> throw new IllegalArgumentException("unknown condition " + condition.getKey());
        };
    }

    private JsonNode rendered(JsonNode wanted) {
        return normaliser.replaceKnown(variables.render(wanted));
    }

    private static boolean same(JsonNode wanted, JsonNode actual) {
        return (wanted.isNumber() && actual.isNumber()) ? wanted.asLong() == actual.asLong() : wanted.equals(actual);
    }

    private static int partitions(JsonNode topics) {
        int count = 0;
        for (JsonNode topic : topics) {
            count += topic.path("partitions").size();
        }
        return count;
    }
}
