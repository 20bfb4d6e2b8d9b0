package io.muster.gateway.kafka.api;

import io.muster.core.Partitions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** Values of the domain as Kafka's messages write them. */
final class Kafka {
    private static final List<Integer> ANY_PARTITION = List.of(0);

    private Kafka() {}

    static UUID uuid(Uuid id) {
        return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    static Uuid uuid(UUID id) {
        return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    /** Reads a list of keys with partitions; entries of the same key fall together. */
    static <T, K extends Comparable<? super K>> Partitions<K> partitions(
            Collection<T> entries, Function<T, K> key, Function<T, List<Integer>> numbers) {
        Map<K, List<Integer>> byKey = new TreeMap<>();
        entries.forEach(entry -> byKey.computeIfAbsent(key.apply(entry), none -> new ArrayList<>())
                .addAll(numbers.apply(entry)));
        return Partitions.copyOf(byKey);
    }

    /**
     * Reads what a heartbeat says that its member owns. A join must not name anything, not even without partitions: there a key
     * without partitions counts as one that has some.
     */
    static <T, K extends Comparable<? super K>> @Nullable Partitions<K> owned(
            @Nullable Collection<T> entries, boolean joins, Function<T, K> key, Function<T, List<Integer>> numbers) {
        return entries == null
                ? null
                : partitions(
                        entries,
                        key,
                        entry -> joins && numbers.apply(entry).isEmpty() ? ANY_PARTITION : numbers.apply(entry));
    }

    /** Writes one entry for each key. */
    static <T, K extends Comparable<? super K>> List<T> entries(
            Partitions<K> partitions, BiFunction<K, List<Integer>, T> entry) {
        List<T> entries = new ArrayList<>();
        partitions.byKey().forEach((key, numbers) -> entries.add(entry.apply(key, List.copyOf(numbers))));
        return entries;
    }
}
