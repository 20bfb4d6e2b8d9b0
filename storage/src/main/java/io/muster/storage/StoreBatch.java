package io.muster.storage;

import java.util.ArrayList;
import java.util.List;

/** Changes that a {@link ShardStore} makes together or not at all, in the order in which they were added. Not thread-safe. */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody; copying every value twice would be the cost
public final class StoreBatch {
    /** One change. */
    public sealed interface Change {}

    /** Sets {@code key} to {@code value}. */
    public record Put(byte[] key, byte[] value) implements Change {}

    /** Removes {@code key}; nothing happens if it is absent. */
    public record Delete(byte[] key) implements Change {}

    /** Removes every key that starts with {@code prefix}, those put earlier in the same batch included. */
    public record DeletePrefix(byte[] prefix) implements Change {
        public DeletePrefix {
            if (prefix.length == 0) {
                throw new IllegalArgumentException("an empty prefix would delete the whole store");
            }
        }
    }

    private final List<Change> changes = new ArrayList<>();

    public StoreBatch put(byte[] key, byte[] value) {
        return add(new Put(key, value));
    }

    public StoreBatch delete(byte[] key) {
        return add(new Delete(key));
    }

    /** Removes all keys with this prefix; the prefix must not be empty. */
    public StoreBatch deletePrefix(byte[] prefix) {
        return add(new DeletePrefix(prefix));
    }

    public StoreBatch add(Change change) {
        changes.add(change);
        return this;
    }

    public List<Change> changes() {
        return List.copyOf(changes);
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }
}
