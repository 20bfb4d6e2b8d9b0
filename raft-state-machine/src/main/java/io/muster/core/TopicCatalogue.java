package io.muster.core;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

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

    public static final TopicCatalogue EMPTY = new TopicCatalogue(new TreeMap<>());

    public TopicCatalogue {
        topics = Collections.unmodifiableSortedMap(new TreeMap<>(topics));
    }

    public boolean knows(String name) {
        return topics.containsKey(name);
    }

    /** The topic of this name, or empty if it is absent or unknown. */
    public Optional<TopicInfo> find(String name) {
        return topics.get(name) instanceof Present present ? Optional.of(present.topic()) : Optional.empty();
    }

    /** A catalogue in which {@code updates} replace what was known before. */
    public TopicCatalogue with(Map<String, Knowledge> updates) {
        TreeMap<String, Knowledge> merged = new TreeMap<>(topics);
        merged.putAll(updates);
        return new TopicCatalogue(merged);
    }
}
