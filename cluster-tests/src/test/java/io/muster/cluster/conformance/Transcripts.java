package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Compares transcripts field by field. */
final class Transcripts {
    private static final Set<String> WORDS = Set.of("errorMessage", "statusDetail", "detail");

    private final List<String> differences = new ArrayList<>();

    private Transcripts() {}

    /** A line for each field that differs; none if the transcripts are equal. */
    static List<String> differences(JsonNode expected, JsonNode actual) {
        JsonNode wanted = expected.path("steps");
        JsonNode got = actual.path("steps");
        Transcripts comparison = new Transcripts();
        for (int i = 0; i < Math.max(wanted.size(), got.size()); i++) {
            comparison.step(wanted.path(i), got.path(i));
        }
        return comparison.differences;
    }

    private void step(JsonNode expected, JsonNode actual) {
        String id = expected.path("id").asText(actual.path("id").asText());
        boolean strict = expected.path("strictMessages").asBoolean(false);
        compare("step " + id + " ", expected, actual, strict);
    }

    private void compare(String path, JsonNode expected, JsonNode actual, boolean strict) {
        if (expected.isObject() && actual.isObject()) {
            for (String name : names(expected, actual)) {
                if (strict || !WORDS.contains(name)) {
                    compare(path + "/" + name, expected.path(name), actual.path(name), strict);
                }
            }
        } else if (expected.isArray() && actual.isArray() && expected.size() == actual.size()) {
            for (int i = 0; i < expected.size(); i++) {
                compare(path + "/" + i, expected.get(i), actual.get(i), strict);
            }
        } else if (!same(expected, actual)) {
            differences.add(path + ": expected " + show(expected) + ", got " + show(actual));
        }
    }

    private static Set<String> names(JsonNode expected, JsonNode actual) {
        Set<String> names = new LinkedHashSet<>();
        expected.fieldNames().forEachRemaining(names::add);
        actual.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static boolean same(JsonNode expected, JsonNode actual) {
        return (expected.isNumber() && actual.isNumber())
                ? expected.asDouble() == actual.asDouble()
                : expected.equals(actual);
    }

    private static String show(JsonNode node) {
        return node.isMissingNode() ? "(absent)" : node.toString();
    }
}
