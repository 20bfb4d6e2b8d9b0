package io.muster.core;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** An immutable map in the natural order of its keys, kept in arrays: groups can have very many small ones. */
final class SortedArrayMap<K extends Comparable<? super K>, V> extends AbstractMap<K, V> implements SortedMap<K, V> {
    private final List<K> keys;
    private final List<V> values;

    /** Takes lists that nobody changes any more: keys in ascending order, none twice, and the value of each. */
    private SortedArrayMap(List<K> keys, List<V> values) {
        this.keys = keys;
        this.values = values;
    }

    /** Takes keys in ascending order, none twice, and the value of each. */
    static <K extends Comparable<? super K>, V> SortedArrayMap<K, V> ofAscending(List<K> keys, List<V> values) {
        if (keys.size() != values.size()) {
            throw new IllegalArgumentException(keys.size() + " keys, but " + values.size() + " values");
        }
        for (int place = 1; place < keys.size(); place++) {
            if (keys.get(place - 1).compareTo(keys.get(place)) >= 0) {
                throw new IllegalArgumentException("keys are not ascending");
            }
        }
        return new SortedArrayMap<>(List.copyOf(keys), List.copyOf(values));
    }

    @Override
    public int size() {
        return keys.size();
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable V get(@Nullable Object key) {
        if (key == null || keys.isEmpty() || key.getClass() != keys.get(0).getClass()) {
            return null;
        }
        int place = placeOf((K) key);
        return place >= 0 ? values.get(place) : null;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return get(key) != null;
    }

    private int placeOf(K key) {
        int low = 0;
        int high = keys.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = keys.get(middle).compareTo(key);
            if (order == 0) {
                return middle;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return -low - 1;
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return new Entries();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SortedArrayMap<?, ?> same
                ? keys.equals(same.keys) && values.equals(same.values)
                : super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    @Override
    public @Nullable Comparator<? super K> comparator() {
        return null;
    }

    @Override
    public SortedMap<K, V> subMap(K first, K end) {
        return between(from(first), Math.max(from(first), from(end)));
    }

    @Override
    public SortedMap<K, V> headMap(K end) {
        return between(0, from(end));
    }

    @Override
    public SortedMap<K, V> tailMap(K first) {
        return between(from(first), keys.size());
    }

    private int from(K key) {
        int place = placeOf(key);
        return place >= 0 ? place : -place - 1;
    }

    private SortedMap<K, V> between(int from, int to) {
        return new SortedArrayMap<>(keys.subList(from, to), values.subList(from, to));
    }

    @Override
    public K firstKey() {
        return keyAt(0);
    }

    @Override
    public K lastKey() {
        return keyAt(keys.size() - 1);
    }

    private K keyAt(int place) {
        if (keys.isEmpty()) {
            throw new NoSuchElementException("no keys");
        }
        return keys.get(place);
    }

    private final class Entries extends AbstractSet<Map.Entry<K, V>> {
        @Override
        public int size() {
            return keys.size();
        }

        @Override
        public Iterator<Map.Entry<K, V>> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < keys.size();
                }

                @Override
                public Map.Entry<K, V> next() {
                    if (next >= keys.size()) {
                        throw new NoSuchElementException("no more entries");
                    }
                    return Map.entry(keys.get(next), values.get(next++));
                }
            };
        }
    }
}
