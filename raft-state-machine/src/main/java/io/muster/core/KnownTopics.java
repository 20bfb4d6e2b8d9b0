package io.muster.core;

import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Topics as a group may believe in them: as the catalogue knows them, or else as the last target was computed on. A topic of
 * which neither knows anything is unknown, which is never the same as absent.
 */
public record KnownTopics(TopicCatalogue catalogue, SortedMap<String, TopicInfo> basis) {
    public static KnownTopics of(GroupDraft draft) {
        return of(draft.group(), draft.context().topics());
    }

    public static KnownTopics of(Group group, TopicCatalogue catalogue) {
        return new KnownTopics(catalogue, group.topicBasis());
    }

    public Optional<TopicInfo> find(String name) {
        return catalogue.knows(name) ? catalogue.find(name) : Optional.ofNullable(basis.get(name));
    }

    public boolean isAbsent(String name) {
        return catalogue.knows(name) && catalogue.find(name).isEmpty();
    }

    public boolean isUnknown(String name) {
        return !catalogue.knows(name) && !basis.containsKey(name);
    }

    public TreeSet<String> unknownAmong(Collection<String> names) {
        TreeSet<String> unknown = new TreeSet<>(names);
        unknown.removeIf(name -> !isUnknown(name));
        return unknown;
    }

    /** Those of the topics that exist, by name. */
    public SortedMap<String, TopicInfo> existing(Collection<String> names) {
        TreeMap<String, TopicInfo> found = new TreeMap<>();
        names.forEach(name -> find(name).ifPresent(topic -> found.put(name, topic)));
        return found;
    }
}
