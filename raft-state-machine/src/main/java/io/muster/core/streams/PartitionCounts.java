package io.muster.core.streams;

import io.muster.core.KnownTopics;
import io.muster.core.TopicInfo;
import io.muster.core.Topology;
import io.muster.core.Topology.CopartitionGroup;
import io.muster.core.Topology.InternalTopic;
import io.muster.core.Topology.Subtopology;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The partition counts that a topology's internal topics must have. Repartition topics follow from what their writers read,
 * copartition groups make counts equal, changelogs follow from what their subtopology reads. Lives within one configuration.
 */
final class PartitionCounts {
    private final Topology topology;
    private final KnownTopics topics;
    private final Map<String, Integer> decided = new HashMap<>();
    private final TreeSet<String> fixed = new TreeSet<>();
    private final TreeSet<String> repartition = new TreeSet<>();
    private final List<Subtopology> inKafkasOrder;

    /**
     * @param topology one all of whose external source topics exist
     */
    PartitionCounts(Topology topology, KnownTopics topics) {
        this.topology = topology;
        this.topics = topics;
        this.inKafkasOrder = inKafkasOrder(topology);
    }

    /** Computes the counts of repartition topics; returns whether all that are written or read have one. */
    boolean decideRepartition() {
        decideFixed();
        boolean progress = true;
        while (progress) {
            progress = decideSinks();
        }
        return topology.subtopologies().stream().allMatch(this::isDecided);
    }

    /** Makes the counts of repartition topics equal within copartition groups; the result says which topics do not fit, or is empty. */
    Optional<String> enforceCopartition() {
        for (Subtopology subtopology : topology.subtopologies()) {
            for (CopartitionGroup group : subtopology.copartitionGroups()) {
                Optional<String> mismatch = enforce(names(subtopology, group));
                if (mismatch.isPresent()) {
                    return mismatch;
                }
            }
        }
        return Optional.empty();
    }

    /** Computes the counts of changelog topics, of a topology all of whose subtopologies read something. */
    void decideChangelogs() {
        for (Subtopology subtopology : topology.subtopologies()) {
            int count = mostRead(subtopology).orElseThrow();
            subtopology.stateChangelogTopics().forEach(topic -> decided.put(topic.name(), count));
        }
    }

    /** The count of an internal topic, once computed. */
    int decided(String name) {
        Integer count = decided.get(name);
        if (count == null) {
            throw new IllegalStateException("no partition count for topic " + name);
        }
        return count;
    }

    /**
     * The order in which Kafka looks at subtopologies, that of a hash map of their ids: a sink whose writer reads topics without a
     * count as yet gets a count without them, and a group that moves from Kafka must find its topics right.
     */
    private static List<Subtopology> inKafkasOrder(Topology topology) {
        HashMap<String, Subtopology> byId = new HashMap<>();
        topology.subtopologies().stream()
                .sorted(Comparator.comparing(Subtopology::id))
                .forEach(subtopology -> byId.put(subtopology.id(), subtopology));
        return List.copyOf(byId.values());
    }

    private void decideFixed() {
        for (Subtopology subtopology : topology.subtopologies()) {
            for (InternalTopic topic : subtopology.repartitionSourceTopics()) {
                repartition.add(topic.name());
                if (topic.partitions() != 0) {
                    fixed.add(topic.name());
                    decided.put(topic.name(), topic.partitions());
                }
            }
        }
    }

    private boolean isDecided(Subtopology subtopology) {
        return decided.keySet().containsAll(subtopology.repartitionSinkTopics())
                && subtopology.repartitionSourceTopics().stream().allMatch(topic -> decided.containsKey(topic.name()));
    }

    /** Gives sinks the most of what is known of what their subtopology reads; returns whether any sink got its count. */
    private boolean decideSinks() {
        boolean progress = false;
        for (Subtopology subtopology : inKafkasOrder) {
            for (String sink : subtopology.repartitionSinkTopics()) {
                OptionalInt count = decided.containsKey(sink) ? OptionalInt.empty() : mostRead(subtopology);
                if (count.isPresent()) {
                    decided.put(sink, count.getAsInt());
                    progress = true;
                }
            }
        }
        return progress;
    }

    private OptionalInt mostRead(Subtopology subtopology) {
        IntStream external = subtopology.sourceTopics().stream()
                .flatMap(name -> topics.find(name).stream())
                .mapToInt(TopicInfo::partitions);
        IntStream repartitioned = subtopology.repartitionSourceTopics().stream()
                .filter(topic -> decided.containsKey(topic.name()))
                .mapToInt(topic -> decided(topic.name()));
        return IntStream.concat(external, repartitioned).max();
    }

    private static SortedSet<String> names(Subtopology subtopology, CopartitionGroup group) {
        TreeSet<String> names = new TreeSet<>();
        group.sourceTopics().forEach(at -> names.add(subtopology.sourceTopics().get(at)));
        group.repartitionSourceTopics()
                .forEach(at ->
                        names.add(subtopology.repartitionSourceTopics().get(at).name()));
        return names;
    }

    /** As in Kafka, a group of repartition topics follows the fixed counts of the whole topology, not only its own. */
    private Optional<String> enforce(SortedSet<String> group) {
        SortedMap<String, Integer> internal = counts(group.stream().filter(repartition::contains));
        SortedMap<String, Integer> external = counts(group.stream().filter(name -> !repartition.contains(name)));
        SortedMap<String, Integer> given = external.isEmpty() ? counts(fixed.stream()) : external;
        if (given.values().stream().distinct().count() > 1) {
            SortedMap<String, Integer> shown = external.isEmpty() ? internal : external;
            return Optional.of("Following topics do not have the same number of partitions: [" + shown + "]");
        }
        if (internal.isEmpty()) {
            return Optional.empty();
        }
        int count = Collections.max((given.isEmpty() ? internal : given).values());
        for (Map.Entry<String, Integer> topic : internal.entrySet()) {
            if (fixed.contains(topic.getKey()) && topic.getValue() != count) {
                return Optional.of("Number of partitions [" + topic.getValue() + "] of repartition topic ["
                        + topic.getKey() + "] doesn't match number of partitions [" + count
                        + "] of the source topic.");
            }
            decided.put(topic.getKey(), count);
        }
        return Optional.empty();
    }

    /** The counts that the topics have, or would get if they were created now. */
    private SortedMap<String, Integer> counts(Stream<String> names) {
        TreeMap<String, Integer> counts = new TreeMap<>();
        names.forEach(name ->
                counts.put(name, topics.find(name).map(TopicInfo::partitions).orElseGet(() -> decided(name))));
        return counts;
    }
}
