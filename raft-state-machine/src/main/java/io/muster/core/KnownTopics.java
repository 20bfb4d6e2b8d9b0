package io.muster.core;

import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Topics as a group may believe in them: as the catalogue knows them, or else as the last target was computed on. A topic of
 * which neither knows anything is unknown, which is never the same as absent. So it is with the racks of a topic.
 *
 * @param withRacks whether racks may be told: not before all nodes keep them
 */
public record KnownTopics(TopicCatalogue catalogue, SortedMap<String, TopicInfo> basis, boolean withRacks) {
    public static KnownTopics of(GroupDraft draft) {
        return of(draft.group(), draft.context());
    }

    public static KnownTopics of(Group group, DecisionContext context) {
        return new KnownTopics(
                context.topics(), group.topicBasis(), context.featureLevel() >= FeatureLevel.PARTITION_RACKS);
    }

    public Optional<TopicInfo> find(String name) {
        TopicInfo before = basis.get(name);
        if (!catalogue.knows(name)) {
            return Optional.ofNullable(before);
        }
        return catalogue
                .find(name)
                .map(topic -> withRacks ? topic : topic.withRacks(PartitionRacks.UNKNOWN))
                .map(topic -> before == null ? topic : topic.orRacksOf(before));
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
