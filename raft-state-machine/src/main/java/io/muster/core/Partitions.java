package io.muster.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;

/**
 * An immutable, ordered set of numbered partitions under keys: topic ids for consumer groups, subtopology ids for tasks.
 * A key without partitions is not kept.
 *
 * @param byKey the partition numbers (0 or more) of each key
 */
public record Partitions<K extends Comparable<? super K>>(SortedMap<K, SortedSet<Integer>> byKey) {
    public Partitions {
        if (!(byKey instanceof SortedArrayMap)) {
            List<K> keys = new ArrayList<>(byKey.size());
            List<SortedSet<Integer>> numbers = new ArrayList<>(byKey.size());
            byKey.forEach((key, some) -> {
                if (!some.isEmpty()) {
                    keys.add(key);
                    numbers.add(PartitionNumbers.copyOf(some));
                }
            });
            byKey = SortedArrayMap.ofAscending(keys, numbers);
        }
    }

    /** Takes keys in ascending order, none twice, and the numbers of each, which must not be empty. */
    public static <K extends Comparable<? super K>> Partitions<K> ofAscending(
            List<K> keys, List<PartitionNumbers> numbers) {
        for (PartitionNumbers some : numbers) {
            if (some.isEmpty()) {
                throw new IllegalArgumentException("a key without numbers");
            }
        }
        return new Partitions<K>(SortedArrayMap.ofAscending(keys, List.<SortedSet<Integer>>copyOf(numbers)));
    }

    public static <K extends Comparable<? super K>> Partitions<K> none() {
        return new Partitions<K>(new TreeMap<K, SortedSet<Integer>>());
    }

    public static <K extends Comparable<? super K>> Partitions<K> of(K key, Integer... numbers) {
        return copyOf(Map.of(key, List.of(numbers)));
    }

    /** Copies any map of collections; duplicates fall together. */
    public static <K extends Comparable<? super K>> Partitions<K> copyOf(Map<K, ? extends Collection<Integer>> map) {
        TreeMap<K, SortedSet<Integer>> sorted = new TreeMap<>();
        map.forEach((key, numbers) -> sorted.put(key, PartitionNumbers.copyOf(numbers)));
        return new Partitions<>(sorted);
    }

    public boolean isEmpty() {
        return byKey.isEmpty();
    }

    /** How many partitions there are, over all keys. */
    public int size() {
        return byKey.values().stream().mapToInt(SortedSet::size).sum();
    }

    public boolean contains(K key, int number) {
        SortedSet<Integer> numbers = byKey.get(key);
        return numbers != null && numbers.contains(number);
    }

    public boolean containsAll(Partitions<K> other) {
        return other.minus(this).isEmpty();
    }

    public Partitions<K> plus(Partitions<K> other) {
        if (other.isEmpty()) {
            return this;
        }
        TreeMap<K, SortedSet<Integer>> sum = new TreeMap<>(byKey);
        other.byKey.forEach((key, numbers) -> sum.merge(key, numbers, (mine, theirs) -> {
            TreeSet<Integer> union = new TreeSet<>(mine);
            union.addAll(theirs);
            return union;
        }));
        return new Partitions<>(sum);
    }

    public Partitions<K> minus(Partitions<K> other) {
        return filter((key, number) -> !other.contains(key, number));
    }

    public Partitions<K> intersect(Partitions<K> other) {
        return filter(other::contains);
    }

    public Partitions<K> filter(BiPredicate<K, Integer> keep) {
        TreeMap<K, SortedSet<Integer>> kept = new TreeMap<>(byKey);
        kept.replaceAll((key, numbers) -> {
            int[] some = numbers.stream()
                    .filter(number -> keep.test(key, number))
                    .mapToInt(Integer::intValue)
                    .toArray();
            return some.length == numbers.size() ? numbers : PartitionNumbers.ofAscending(some, some.length);
        });
        return new Partitions<>(kept);
    }

    /** Visits all partitions in order. */
    public void forEach(BiConsumer<K, Integer> visitor) {
        byKey.forEach((key, numbers) -> numbers.forEach(number -> visitor.accept(key, number)));
    }
}
