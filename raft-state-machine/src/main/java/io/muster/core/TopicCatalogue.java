package io.muster.core;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What is known of the upstream cluster's topics. A name without an entry is unknown, which is never the same as absent.
 *
 * @param topics topics by name
 */
public record TopicCatalogue(SortedMap<String, Knowledge> topics) {
    /** What is known of one topic name. */
    public sealed interface Knowledge {}

    /** The topic exists. */
    public record Present(TopicInfo topic) implements Knowledge {}

    /** The topic does not exist. */
    public record Absent() implements Knowledge {}

    /** Nobody looks at the topic any more: what it was called is all that is still known of it. */
    public record Former(TopicInfo topic) implements Knowledge {}

    public static final TopicCatalogue EMPTY = new TopicCatalogue(new TreeMap<>());

    public TopicCatalogue {
        topics = Collections.unmodifiableSortedMap(new TreeMap<>(topics));
    }

    public boolean knows(String name) {
        Knowledge knowledge = topics.get(name);
        return knowledge != null && !(knowledge instanceof Former);
    }

    /** The topic of this name, or empty if it is absent or unknown. */
    public Optional<TopicInfo> find(String name) {
        return topics.get(name) instanceof Present present ? Optional.of(present.topic()) : Optional.empty();
    }

    /** The names of all topics by their ids, also of those that nobody looks at any more. */
    public SortedMap<UUID, String> names() {
        TreeMap<UUID, String> names = new TreeMap<>();
        topics.values().forEach(knowledge -> {
            if (knowledge instanceof Present present) {
                names.put(present.topic().id(), present.topic().name());
            } else if (knowledge instanceof Former former) {
                names.put(former.topic().id(), former.topic().name());
            }
        });
        return names;
    }

    /** A catalogue that no longer claims to know other topics than these. */
    public TopicCatalogue watching(Set<String> names) {
        TreeMap<String, Knowledge> watched = new TreeMap<>();
        topics.forEach((name, knowledge) -> {
            if (names.contains(name) || knowledge instanceof Former) {
                watched.put(name, knowledge);
            } else if (knowledge instanceof Present present) {
                watched.put(name, new Former(present.topic()));
            }
        });
        return new TopicCatalogue(watched);
    }

    /** A catalogue in which {@code updates} replace what was known before. */
    public TopicCatalogue with(Map<String, Knowledge> updates) {
        TreeMap<String, Knowledge> merged = new TreeMap<>(topics);
        merged.putAll(updates);
        return new TopicCatalogue(merged);
    }
}
