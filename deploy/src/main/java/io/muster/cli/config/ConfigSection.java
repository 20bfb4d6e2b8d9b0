package io.muster.cli.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A mapping of the file while it is read: knows its place, and which of its keys were asked for. */
final class ConfigSection {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private final String path;
    private final JsonNode node;
    private final Set<String> asked = new HashSet<>();

    private ConfigSection(String path, JsonNode node) {
        this.path = path;
        this.node = node;
    }

    static ConfigSection root(JsonNode node) throws ConfigException {
        return of("", node);
    }

    private static ConfigSection of(String path, JsonNode node) throws ConfigException {
        if (!node.isObject()) {
            throw new ConfigException((path.isEmpty() ? "the file" : path) + " must be a mapping of keys to values");
        }
        return new ConfigSection(path, node);
    }

    /** The mapping under a key; an empty one if the key is not there. */
    ConfigSection section(String key) throws ConfigException {
        JsonNode value = find(key);
        return of(at(key), value == null ? JsonNodeFactory.instance.objectNode() : value);
    }

    boolean has(String key) {
        return find(key) != null;
    }

    /** The mappings of a list under a key, which must have one at least. */
    List<ConfigSection> sections(String key) throws ConfigException {
        List<ConfigSection> sections = new ArrayList<>();
        for (JsonNode each : list(key)) {
            sections.add(of(at(key) + "[" + sections.size() + "]", each));
        }
        return sections;
    }

    List<String> strings(String key) throws ConfigException {
        List<String> strings = new ArrayList<>();
        for (JsonNode each : list(key)) {
            if (!each.isTextual() || each.asText().isBlank()) {
                throw new ConfigException(at(key) + " must be a list of texts");
            }
            strings.add(each.asText());
        }
        return strings;
    }

    /** A mapping of keys to scalars, all taken as texts; empty if the key is not there. */
    Map<String, String> texts(String key) throws ConfigException {
        Map<String, String> texts = new TreeMap<>();
        ConfigSection section = section(key);
        for (Map.Entry<String, JsonNode> field : section.node.properties()) {
            if (!field.getValue().isValueNode()) {
                throw new ConfigException(at(key) + "." + field.getKey() + " must be a single value");
            }
            texts.put(field.getKey(), field.getValue().asText());
        }
        return texts;
    }

    String string(String key) throws ConfigException {
        JsonNode value = find(key);
        if (value == null) {
            throw new ConfigException(at(key) + " is missing");
        }
        return text(key, value);
    }

    String string(String key, String byDefault) throws ConfigException {
        JsonNode value = find(key);
        return value == null ? byDefault : text(key, value);
    }

    int integer(String key, int byDefault, int lowest, int highest) throws ConfigException {
        JsonNode value = find(key);
        if (value == null) {
            return byDefault;
        }
        if (!value.isIntegralNumber()) {
            throw new ConfigException(at(key) + " must be a whole number, but is '" + value.asText() + "'");
        }
        if (!value.canConvertToInt() || value.asInt() < lowest || value.asInt() > highest) {
            throw new ConfigException(
                    at(key) + " must be between " + lowest + " and " + highest + ", but is " + value.asText());
        }
        return value.asInt();
    }

    boolean flag(String key, boolean byDefault) throws ConfigException {
        JsonNode value = find(key);
        if (value == null) {
            return byDefault;
        }
        if (!value.isBoolean()) {
            throw new ConfigException(at(key) + " must be true or false, but is '" + value.asText() + "'");
        }
        return value.asBoolean();
    }

    /** Milliseconds of a duration such as {@code 500ms}, {@code 3s}, {@code 10m}, {@code 2h} or {@code 7d}. */
    int millis(String key, String byDefault, String lowest, String highest) throws ConfigException {
        String text = string(key, byDefault);
        Duration duration = parse(text);
        if (duration == null) {
            throw new ConfigException(
                    at(key) + " must be a duration with a unit (ms, s, m, h, d) such as 3s, but is '" + text + "'");
        }
        if (duration.compareTo(required(lowest)) < 0 || duration.compareTo(required(highest)) > 0) {
            throw new ConfigException(at(key) + " must be between " + lowest + " and " + highest + ", but is " + text);
        }
        return Math.toIntExact(duration.toMillis());
    }

    /** Complains of the first key that nothing asked for. */
    void requireNothingElse() throws ConfigException {
        Iterator<String> names = node.fieldNames();
        while (names.hasNext()) {
            String name = names.next();
            if (!asked.contains(name)) {
                throw new ConfigException("unknown key " + at(name));
            }
        }
    }

    String at(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private Iterable<JsonNode> list(String key) throws ConfigException {
        JsonNode value = find(key);
        if (value == null || !value.isArray() || value.isEmpty()) {
            throw new ConfigException(at(key) + " must be a list with at least one entry");
        }
        return value;
    }

    private @Nullable JsonNode find(String key) {
        asked.add(key);
        JsonNode value = node.get(key);
        return value == null || value.isNull() ? null : value;
    }

    private String text(String key, JsonNode value) throws ConfigException {
        if (!value.isTextual() || value.asText().isBlank()) {
            throw new ConfigException(at(key) + " must be a text, but is '" + value.asText() + "'");
        }
        return value.asText();
    }

    private static Duration required(String text) {
        Duration duration = parse(text);
        if (duration == null) {
            throw new IllegalArgumentException("no duration: " + text);
        }
        return duration;
    }

    private static @Nullable Duration parse(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
