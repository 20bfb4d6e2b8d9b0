package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/** Bytes that a script spells as a list of primitives of the Kafka protocol: {@code [{i16: 68}, {str: x}, {hex: ff}]}. */
final class RawBytes {
    private RawBytes() {}

    static byte[] of(JsonNode primitives, Variables variables) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (JsonNode primitive : primitives) {
            Map.Entry<String, JsonNode> only = primitive.properties().iterator().next();
            out.writeBytes(bytes(only.getKey(), variables.render(only.getValue())));
        }
        return out.toByteArray();
    }

    static byte[] joined(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    private static byte[] bytes(String type, JsonNode value) {
        return switch (type) {
            case "i8" -> new byte[] {(byte) value.asInt()};
            case "i16" ->
                ByteBuffer.allocate(Short.BYTES).putShort((short) value.asInt()).array();
            case "i32" ->
                ByteBuffer.allocate(Integer.BYTES).putInt(value.asInt()).array();
            case "i64" ->
                ByteBuffer.allocate(Long.BYTES).putLong(value.asLong()).array();
            case "hex" -> HexFormat.of().parseHex(value.asText().replace(" ", ""));
            case "uvarint" -> unsignedVarint(value.asInt());
            case "str" -> {
                byte[] text = value.asText().getBytes(StandardCharsets.UTF_8);
                byte[] length = ByteBuffer.allocate(Short.BYTES)
                        .putShort((short) text.length)
                        .array();
                yield joined(length, text);
            }
            case "cstr" -> {
                byte[] text = value.asText().getBytes(StandardCharsets.UTF_8);
                yield joined(unsignedVarint(text.length + 1), text);
            }
            default -> throw new IllegalArgumentException("unknown primitive " + type);
        };
    }

    private static byte[] unsignedVarint(int value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            out.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
        return out.toByteArray();
    }
}
