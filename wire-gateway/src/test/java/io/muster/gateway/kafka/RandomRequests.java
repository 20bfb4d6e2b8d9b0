package io.muster.gateway.kafka;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.Struct;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/** Well-formed requests with made-up content, by Kafka's own schemas. */
final class RandomRequests {
    private final Random random;

    RandomRequests(Random random) {
        this.random = random;
    }

    /** A frame, without its length, of any version that has a schema. */
    byte[] frame(ApiKeys api) {
        short version = (short) (api.oldestVersion() + random.nextInt(api.latestVersion() - api.oldestVersion() + 1));
        Schema schema = api.messageType.requestSchemas()[version];
        ByteBuffer head = MessageUtil.toByteBufferAccessor(
                        new RequestHeaderData()
                                .setRequestApiKey(api.id)
                                .setRequestApiVersion(version)
                                .setClientId(random.nextInt(4) == 0 ? null : "client")
                                .setCorrelationId(random.nextInt()),
                        api.requestHeaderVersion(version))
                .buffer();
        Object body = struct(schema);
        ByteBuffer frame = ByteBuffer.allocate(head.remaining() + schema.sizeOf(body));
        frame.put(head);
        schema.write(frame, body);
        return Arrays.copyOf(frame.array(), frame.position());
    }

    private Struct struct(Schema schema) {
        Struct struct = new Struct(schema);
        for (BoundField field : schema.fields()) {
            struct.set(field, value(field.def.type));
        }
        return struct;
    }

    private @Nullable Object value(Type type) {
        if (type.isNullable() && random.nextInt(3) == 0) {
            return null;
        }
        if (type instanceof Schema schema) {
            return struct(schema);
        }
        if (type.arrayElementType().isPresent()) {
            Object[] values = new Object[random.nextInt(3)];
            Arrays.setAll(values, i -> value(type.arrayElementType().get()));
            return values;
        }
        if (type instanceof TaggedFields tagged) {
            TreeMap<Integer, Object> values = new TreeMap<>();
            tagged.fields().forEach((tag, field) -> values.put(tag, value(field.type)));
            if (random.nextInt(4) == 0) {
                values.put(99, new RawTaggedField(99, new byte[random.nextInt(3)]));
            }
            return values;
        }
        return leaf(type.toString());
    }

    private Object leaf(String type) {
        return switch (type) {
            case "BOOLEAN" -> random.nextBoolean();
            case "INT8" -> (byte) integer();
            case "INT16" -> (short) integer();
            case "UINT16" -> random.nextInt(65_536);
            case "INT32" -> integer();
            case "UINT32" -> (long) random.nextInt(Integer.MAX_VALUE);
            case "INT64" -> random.nextBoolean() ? integer() : random.nextLong();
            case "FLOAT64" -> random.nextDouble();
            case "UUID" -> random.nextBoolean() ? Uuid.ZERO_UUID : new Uuid(random.nextLong(), random.nextLong());
            case "STRING", "COMPACT_STRING", "NULLABLE_STRING", "COMPACT_NULLABLE_STRING" -> text();
            case "RECORDS", "COMPACT_RECORDS", "NULLABLE_RECORDS", "COMPACT_NULLABLE_RECORDS" -> MemoryRecords.EMPTY;
            case "BYTES", "COMPACT_BYTES", "NULLABLE_BYTES", "COMPACT_NULLABLE_BYTES" ->
                ByteBuffer.wrap(new byte[random.nextInt(9)]);
            default -> throw new IllegalArgumentException("cannot make up a " + type);
        };
    }

    private int integer() {
        return switch (random.nextInt(5)) {
            case 0 -> -1;
            case 1 -> 0;
            case 2 -> random.nextInt();
            default -> random.nextInt(20) - 3;
        };
    }

    private String text() {
        return switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> " ";
            case 2 -> "a.*[";
            case 3 -> "é\0\n";
            case 4 -> "x".repeat(random.nextInt(300));
            default -> FuzzedGroups.OWNED;
        };
    }
}
