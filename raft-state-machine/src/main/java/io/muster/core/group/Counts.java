package io.muster.core.group;

import io.muster.core.PersistentMap;
import java.util.Collection;

/** How many members have something in common, such as a topic that they subscribe to. What nobody has is not counted. */
public record Counts<K extends Comparable<? super K>>(PersistentMap<K, Integer> byKey) {
    /** Nobody has anything. */
    public static <K extends Comparable<? super K>> Counts<K> none() {
        return new Counts<K>(PersistentMap.<K, Integer>empty());
    }

    public boolean contains(K key) {
        return byKey.containsKey(key);
    }

    /** One more member has each of these, none of which is named twice. */
    public Counts<K> plus(Collection<K> keys) {
        return changed(keys, 1);
    }

    /** One member fewer has each of these. */
    public Counts<K> minus(Collection<K> keys) {
        return changed(keys, -1);
    }

    private Counts<K> changed(Collection<K> keys, int change) {
        PersistentMap<K, Integer> next = byKey;
        for (K key : keys) {
            int count = next.find(key).orElse(0) + change;
            next = count == 0 ? next.without(key) : next.with(key, count);
        }
        return new Counts<>(next);
    }
}
