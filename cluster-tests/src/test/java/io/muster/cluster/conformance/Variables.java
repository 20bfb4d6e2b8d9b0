package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.Uuid;

/** What the {@code ${...}} of a script stand for in one run of it. */
final class Variables {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]+)}");
    private static final Pattern SUM = Pattern.compile("(.+?)([+-])(\\d+)");

    private final String suffix;
    private final Normaliser normaliser;
    private final Map<String, JsonNode> values = new HashMap<>();
    private final ClassicProtocol classic;

    /**
     * @param suffix makes the names of this run its own
     * @param normaliser learns the member ids
     */
    Variables(String suffix, Normaliser normaliser) {
        this.suffix = suffix;
        this.normaliser = normaliser;
        this.classic =
                new ClassicProtocol(this::unique, name -> values.get(name).asText());
    }

    void set(String name, JsonNode value) {
        values.put(name, value);
    }

    /** The name that a topic or group has in this run. */
    String unique(String name) {
        return name + "-" + suffix;
    }

    /** The name without what makes it unique. */
    String plain(String uniqueName) {
        String end = "-" + suffix;
        return uniqueName.endsWith(end)
                ? uniqueName.substring(0, uniqueName.length() - end.length())
                : uniqueName.replace(suffix, "~");
    }

    String text(JsonNode node) {
        return render(node).asText();
    }

    ObjectNode object(JsonNode node) {
        return node.isMissingNode() ? NODES.objectNode() : (ObjectNode) render(node);
    }

    /** A copy in which every variable has its value. */
    JsonNode render(JsonNode node) {
        if (node.isTextual()) {
            return renderText(node.asText());
        }
        if (node.isArray()) {
            ArrayNode copy = NODES.arrayNode();
            node.forEach(element -> copy.add(render(element)));
            return copy;
        }
        if (node.isObject()) {
            ObjectNode copy = NODES.objectNode();
            node.properties().forEach(each -> copy.set(each.getKey(), render(each.getValue())));
            return copy;
        }
        return node;
    }

    private JsonNode renderText(String text) {
        Matcher variable = VARIABLE.matcher(text);
        if (variable.matches()) {
            return value(variable.group(1));
        }
        variable.reset();
        return TextNode.valueOf(variable.replaceAll(
                found -> Matcher.quoteReplacement(value(found.group(1)).asText())));
    }

    private JsonNode value(String name) {
        JsonNode known = values.get(name);
        if (known != null) {
            return known;
        }
        Matcher sum = SUM.matcher(name);
        if (sum.matches() && values.containsKey(sum.group(1))) {
            return IntNode.valueOf(values.get(sum.group(1)).asInt() + Integer.parseInt(sum.group(2) + sum.group(3)));
        }
        return TextNode.valueOf(name.equals("suffix") ? suffix : generated(name));
    }

    private String generated(String name) {
        String[] parts = name.split("[.:]", 2);
        return switch (parts[0]) {
            case "t", "g", "n" -> unique(parts[1]);
            case "u" -> memberId(parts[1]);
            case "repeat" -> repeated(parts[1]);
            case "sub" -> classic.subscription(parts[1]);
            case "asg" -> classic.assignment(parts[1]);
            default -> throw new IllegalArgumentException("unknown variable " + name);
        };
    }

    private static String repeated(String textAndTimes) {
        String[] parts = textAndTimes.split(":");
        return parts[0].repeat(Integer.parseInt(parts[1]));
    }

    /** A member id that is the same in each run, so that what goes by the order of ids does too. */
    private String memberId(String name) {
        String id = stableUuid(name);
        normaliser.know(id, "<" + name + ">");
        return id;
    }

    private static String stableUuid(String name) {
        ByteBuffer hash = ByteBuffer.wrap(sha256(name));
        long most = (hash.getLong() & 0x3fffffffffff4fffL) | 0x4000L;
        long least = (hash.getLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
        return new Uuid(most, least).toString();
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
