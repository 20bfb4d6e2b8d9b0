package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/** Any message of Kafka's as JSON, by the converters that Kafka generates beside its messages. */
final class JsonMessages {
    private JsonMessages() {}

    /** The API of this name, as Kafka's schemas spell it. */
    static ApiMessageType api(String name) {
        return Arrays.stream(ApiMessageType.values())
                .filter(api -> api.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown api " + name));
    }

    /** A request, in which every field that the JSON leaves out has its default. */
    static ApiMessage request(ApiMessageType api, ObjectNode body, short version) {
        Class<?> type = api.newRequest().getClass();
        fill(body, type, version);
        return (ApiMessage)
                call(converter(type), "read", List.of(JsonNode.class, short.class), List.<Object>of(body, version));
    }

    static JsonNode json(Message message, short version) {
        return write(message.getClass(), message, version);
    }

    static byte[] bytes(Message message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(buffer), cache, version);
        return buffer.array();
    }

    private static JsonNode write(Class<?> type, Message message, short version) {
        return (JsonNode) call(
                converter(type),
                "write",
                List.of(type, short.class, boolean.class),
                List.<Object>of(message, version, true));
    }

    private static Class<?> converter(Class<?> type) {
        String[] names = type.getName().split("\\$", 2);
        String outer = names[0] + "JsonConverter";
        try {
            return Class.forName(names.length == 1 ? outer : outer + "$" + names[1] + "JsonConverter");
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void fill(ObjectNode body, Class<?> type, short version) {
        body.properties().forEach(property -> requireField(type, property.getKey()));
        for (Map.Entry<String, JsonNode> each :
                write(type, newInstance(type), version).properties()) {
            if (!body.has(each.getKey())) {
                body.set(each.getKey(), each.getValue());
            }
        }
        for (Field field : type.getDeclaredFields()) {
            JsonNode value = body.path(field.getName());
            if (!Modifier.isStatic(field.getModifiers()) && value.isContainerNode()) {
                nested(field).ifPresent(inner -> fillNested(value, inner, version));
            }
        }
    }

    private static void fillNested(JsonNode value, Class<?> type, short version) {
        if (value instanceof ObjectNode object) {
            fill(object, type, version);
            return;
        }
        for (JsonNode element : value) {
            if (element instanceof ObjectNode object) {
                fill(object, type, version);
            }
        }
    }

    /** The type of the messages that a field holds, one or many. */
    private static Optional<Class<?>> nested(Field field) {
        Class<?> type = field.getType();
        if (Message.class.isAssignableFrom(type)) {
            return Optional.of(type);
        }
        if (!Collection.class.isAssignableFrom(type)) {
            return Optional.empty();
        }
        Type declared = field.getGenericType() instanceof ParameterizedType list ? list : type.getGenericSuperclass();
        if (declared instanceof ParameterizedType collection
                && collection.getActualTypeArguments()[0] instanceof Class<?> element
                && Message.class.isAssignableFrom(element)) {
            return Optional.of(element);
        }
        return Optional.empty();
    }

    private static void requireField(Class<?> type, String name) {
        boolean known = Arrays.stream(type.getDeclaredFields())
                .anyMatch(field -> field.getName().equals(name));
        if (!known) {
            throw new IllegalArgumentException("no field " + name + " in " + type.getSimpleName());
        }
    }

    private static Message newInstance(Class<?> type) {
        try {
            return (Message) type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Object call(Class<?> type, String name, List<Class<?>> parameters, List<Object> arguments) {
        try {
            return type.getMethod(name, parameters.toArray(Class<?>[]::new)).invoke(null, arguments.toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
