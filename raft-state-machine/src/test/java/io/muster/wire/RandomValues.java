package io.muster.wire;

import io.muster.core.Bytes;
import io.muster.core.PartitionRacks;
import io.muster.core.Partitions;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes up values of the core's records, every field of them, from a seed; nullable fields are null every second time. */
public final class RandomValues {
    private final Random random;

    public RandomValues(long seed) {
        this.random = new Random(seed);
    }

    public <T> T next(Class<T> type) {
        return type.cast(value(type));
    }

    private Object value(Type type) {
        if (type instanceof ParameterizedType generic) {
            return container((Class<?>) generic.getRawType(), generic.getActualTypeArguments());
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isSealed()) {
            Class<?>[] permitted = plain.getPermittedSubclasses();
            return value(permitted[random.nextInt(permitted.length)]);
        }
        if (plain.isEnum()) {
            Object[] constants = plain.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        return plain.isRecord() ? record(plain) : leaf(plain);
    }

    private Object leaf(Class<?> type) {
        if (type == int.class || type == Integer.class) {
            return random.nextInt(40) - 5;
        }
        if (type == long.class) {
            return random.nextLong();
        }
        if (type == boolean.class) {
            return random.nextBoolean();
        }
        if (type == String.class) {
            return random.nextInt(8) == 0 ? "" : "é-" + Integer.toHexString(random.nextInt());
        }
        if (type == UUID.class) {
            return new UUID(random.nextLong(), random.nextLong());
        }
        if (type == PartitionRacks.class) {
            List<Set<String>> racks = new ArrayList<>();
            for (int partition = random.nextInt(6); partition > 0; partition--) {
                racks.add(
                        random.nextBoolean()
                                ? Set.of()
                                : Set.of("a", leaf(String.class).toString()));
            }
            return PartitionRacks.of(racks);
        }
        if (type == Bytes.class) {
            byte[] bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            return Bytes.copyOf(bytes);
        }
        throw new IllegalArgumentException("cannot make up a " + type);
    }

    private Object container(Class<?> raw, Type[] arguments) {
        if (raw == Optional.class) {
            return random.nextBoolean() ? Optional.empty() : Optional.of(value(arguments[0]));
        }
        if (raw == Partitions.class) {
            return arguments[0] == UUID.class
                    ? partitions(() -> (UUID) leaf(UUID.class))
                    : partitions(() -> (String) leaf(String.class));
        }
        if (raw == List.class) {
            return some(arguments[0]);
        }
        if (raw == Set.class || raw == SortedSet.class) {
            return new TreeSet<>(some(arguments[0]));
        }
        if (raw == SortedMap.class) {
            TreeMap<Object, Object> map = new TreeMap<>();
            some(arguments[0]).forEach(key -> map.put(key, value(arguments[1])));
            return map;
        }
        throw new IllegalArgumentException("cannot make up a " + raw);
    }

    private List<Object> some(Type type) {
        List<Object> values = new ArrayList<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            values.add(value(type));
        }
        return values;
    }

    private <K extends Comparable<? super K>> Partitions<K> partitions(Supplier<K> keys) {
        TreeMap<K, SortedSet<Integer>> byKey = new TreeMap<>();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            byKey.put(keys.get(), new TreeSet<>(Set.of(random.nextInt(8), 8 + random.nextInt(8))));
        }
        return new Partitions<>(byKey);
    }

    private Object record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            boolean leaveOut = isNullable(components[i].getAnnotatedType()) && random.nextBoolean();
            values[i] = leaveOut ? null : value(components[i].getGenericType());
        }
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make up a " + type, e);
        }
    }

    private static boolean isNullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }
}
