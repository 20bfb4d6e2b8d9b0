package io.muster.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map, ordered by key, that shares what it can with the maps it came from: a change costs the logarithm of the size.
 * For what large groups keep by member. A balanced tree (AVL) inside.
 */
public final class PersistentMap<K extends Comparable<? super K>, V> {
    private final @Nullable Node<K, V> root;
    private final int size;

    private PersistentMap(@Nullable Node<K, V> root, int size) {
        this.root = root;
        this.size = size;
    }

    public static <K extends Comparable<? super K>, V> PersistentMap<K, V> empty() {
        return new PersistentMap<>(null, 0);
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public Optional<V> find(K key) {
        Node<K, V> node = root;
        while (node != null) {
            int order = key.compareTo(node.key);
            if (order == 0) {
                return Optional.of(node.value);
            }
            node = order < 0 ? node.left : node.right;
        }
        return Optional.empty();
    }

    public boolean containsKey(K key) {
        return find(key).isPresent();
    }

    /** A map in which the key has this value. */
    public PersistentMap<K, V> with(K key, V value) {
        return new PersistentMap<>(put(root, key, value), containsKey(key) ? size : size + 1);
    }

    /** A map without the key. */
    public PersistentMap<K, V> without(K key) {
        return containsKey(key) ? new PersistentMap<>(remove(root, key), size - 1) : this;
    }

    /** The keys in their order. */
    public List<K> keys() {
        List<K> keys = new ArrayList<>(size);
        forEach((key, value) -> keys.add(key));
        return keys;
    }

    /** The values in the order of their keys. */
    public List<V> values() {
        List<V> values = new ArrayList<>(size);
        forEach((key, value) -> values.add(value));
        return values;
    }

    /** Visits all entries in the order of their keys. */
    public void forEach(BiConsumer<K, V> visitor) {
        visit(root, visitor);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PersistentMap<?, ?> map
                && size == map.size
                && keys().equals(map.keys())
                && values().equals(map.values());
    }

    @Override
    public int hashCode() {
        return 31 * keys().hashCode() + values().hashCode();
    }

    @Override
    public String toString() {
        List<String> entries = new ArrayList<>(size);
        forEach((key, value) -> entries.add(key + "=" + value));
        return "{" + String.join(", ", entries) + "}";
    }

    private record Node<K, V>(
            K key,
            V value,
            @Nullable Node<K, V> left,
            @Nullable Node<K, V> right,
            int height) {
        static <K, V> Node<K, V> of(Node<K, V> entry, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
            return new Node<>(
                    entry.key,
                    entry.value,
                    left,
                    right,
                    1 + Math.max(PersistentMap.height(left), PersistentMap.height(right)));
        }
    }

    private static int height(@Nullable Node<?, ?> node) {
        return node == null ? 0 : node.height;
    }

    private static <K, V> void visit(@Nullable Node<K, V> node, BiConsumer<K, V> visitor) {
        if (node != null) {
            visit(node.left, visitor);
            visitor.accept(node.key, node.value);
            visit(node.right, visitor);
        }
    }

    private static <K extends Comparable<? super K>, V> Node<K, V> put(@Nullable Node<K, V> node, K key, V value) {
        if (node == null) {
            return new Node<>(key, value, null, null, 1);
        }
        int order = key.compareTo(node.key);
        if (order == 0) {
            return new Node<>(key, value, node.left, node.right, node.height);
        }
        return order < 0
                ? balanced(Node.of(node, put(node.left, key, value), node.right))
                : balanced(Node.of(node, node.left, put(node.right, key, value)));
    }

    private static <K extends Comparable<? super K>, V> @Nullable Node<K, V> remove(@Nullable Node<K, V> node, K key) {
        if (node == null) {
            return null;
        }
        int order = key.compareTo(node.key);
        if (order < 0) {
            return balanced(Node.of(node, remove(node.left, key), node.right));
        } else if (order > 0) {
            return balanced(Node.of(node, node.left, remove(node.right, key)));
        } else if (node.left == null) {
            return node.right;
        } else if (node.right == null) {
            return node.left;
        }
        Node<K, V> next = first(node.right);
        return balanced(Node.of(next, node.left, remove(node.right, next.key)));
    }

    private static <K, V> Node<K, V> first(Node<K, V> node) {
        Node<K, V> first = node;
        while (first.left != null) {
            first = first.left;
        }
        return first;
    }

    private static <K, V> Node<K, V> balanced(Node<K, V> node) {
        int lean = height(node.left) - height(node.right);
        if (lean > 1) {
            Node<K, V> left = Objects.requireNonNull(node.left);
            boolean bent = height(left.left) < height(left.right);
            return turnRight(bent ? Node.of(node, turnLeft(left), node.right) : node);
        } else if (lean < -1) {
            Node<K, V> right = Objects.requireNonNull(node.right);
            boolean bent = height(right.right) < height(right.left);
            return turnLeft(bent ? Node.of(node, node.left, turnRight(right)) : node);
        }
        return node;
    }

    private static <K, V> Node<K, V> turnRight(Node<K, V> node) {
        Node<K, V> left = Objects.requireNonNull(node.left);
        return Node.of(left, left.left, Node.of(node, left.right, node.right));
    }

    private static <K, V> Node<K, V> turnLeft(Node<K, V> node) {
        Node<K, V> right = Objects.requireNonNull(node.right);
        return Node.of(right, Node.of(node, node.left, right.left), right.right);
    }
}
