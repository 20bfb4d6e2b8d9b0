package io.muster.core.streams;

import io.muster.core.KnownTopics;
import io.muster.core.Response.StreamsStatus;
import io.muster.core.Response.StreamsStatus.Code;
import io.muster.core.TopicInfo;
import io.muster.core.Topology;
import io.muster.core.Topology.InternalTopic;
import io.muster.core.Topology.Subtopology;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Fits a topology to the topics that exist: computes the partition counts of internal topics and the number of tasks, or says
 * what is in the way (KIP-1071, "topology configuration").
 */
final class TopologyConfiguration {
    private static final int NAMES_IN_SUMMARY = 3;

    private TopologyConfiguration() {}

    /** Configures a topology; what is wrong is found in Kafka's order. */
    static ConfiguredTopology configure(Topology topology, KnownTopics topics) {
        SortedSet<String> external = externalSources(topology);
        TreeSet<String> absent = new TreeSet<>(external);
        absent.removeIf(name -> !topics.isAbsent(name));
        if (!absent.isEmpty()) {
            return ConfiguredTopology.wrong(
                    topology, Code.MISSING_SOURCE_TOPICS, "Source topics " + summary(absent) + " are missing.");
        }
        if (!topics.unknownAmong(external).isEmpty()) {
            return ConfiguredTopology.undecided(topology);
        }
        PartitionCounts counts = new PartitionCounts(topology, topics);
        if (!counts.decideRepartition()) {
            return ConfiguredTopology.unsound(topology);
        }
        Optional<String> mismatch = counts.enforceCopartition();
        if (mismatch.isPresent()) {
            return ConfiguredTopology.wrong(topology, Code.INCORRECTLY_PARTITIONED_TOPICS, mismatch.get());
        }
        if (topology.subtopologies().stream()
                .anyMatch(subtopology -> subtopology.allSources().isEmpty())) {
            return ConfiguredTopology.unsound(topology);
        }
        counts.decideChangelogs();
        return compare(withCounts(topology, counts), topics);
    }

    static SortedSet<String> externalSources(Topology topology) {
        return topology.subtopologies().stream()
                .flatMap(subtopology -> subtopology.sourceTopics().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Topology withCounts(Topology topology, PartitionCounts counts) {
        return new Topology(
                topology.epoch(),
                topology.subtopologies().stream()
                        .map(subtopology -> subtopology.withInternalTopics(
                                withCounts(subtopology.stateChangelogTopics(), counts),
                                withCounts(subtopology.repartitionSourceTopics(), counts)))
                        .toList());
    }

    private static List<InternalTopic> withCounts(List<InternalTopic> topics, PartitionCounts counts) {
        return topics.stream()
                .map(topic -> topic.withPartitions(counts.decided(topic.name())))
                .toList();
    }

    /** Compares internal topics as they must be with those that exist. */
    private static ConfiguredTopology compare(Topology counted, KnownTopics topics) {
        SortedMap<String, InternalTopic> wanted = internalTopics(counted);
        for (InternalTopic topic : inKafkasOrder(counted, wanted)) {
            Optional<TopicInfo> existing = topics.find(topic.name());
            if (existing.isPresent() && existing.get().partitions() != topic.partitions()) {
                return ConfiguredTopology.wrong(
                        counted,
                        Code.INCORRECTLY_PARTITIONED_TOPICS,
                        "Existing topic " + topic.name() + " has different number of partitions: expected "
                                + topic.partitions() + ", found "
                                + existing.get().partitions());
            }
        }
        List<InternalTopic> missing = wanted.values().stream()
                .filter(topic -> topics.isAbsent(topic.name()))
                .toList();
        if (!missing.isEmpty()) {
            String detail = "Internal topics are missing: "
                    + summary(missing.stream().map(InternalTopic::name).toList());
            StreamsStatus problem = new StreamsStatus(Code.MISSING_INTERNAL_TOPICS, detail);
            return new ConfiguredTopology(counted, new TreeMap<>(), Optional.of(problem), missing, Optional.empty());
        }
        if (!topics.unknownAmong(wanted.keySet()).isEmpty()) {
            return ConfiguredTopology.undecided(counted);
        }
        return ConfiguredTopology.ready(counted, taskCounts(counted, topics));
    }

    /** The order in which Kafka looks at topics, that of a hash set of their names: it complains about the first only. */
    private static List<InternalTopic> inKafkasOrder(Topology topology, SortedMap<String, InternalTopic> internal) {
        HashSet<String> names = new HashSet<>();
        topology.subtopologies().forEach(subtopology -> {
            names.addAll(subtopology.sourceTopics());
            subtopology.repartitionSourceTopics().forEach(topic -> names.add(topic.name()));
            subtopology.stateChangelogTopics().forEach(topic -> names.add(topic.name()));
        });
        return names.stream()
                .flatMap(name -> Optional.ofNullable(internal.get(name)).stream())
                .toList();
    }

    private static SortedMap<String, InternalTopic> internalTopics(Topology topology) {
        TreeMap<String, InternalTopic> internal = new TreeMap<>();
        for (Subtopology subtopology : topology.subtopologies()) {
            subtopology.repartitionSourceTopics().forEach(topic -> internal.put(topic.name(), topic));
            subtopology.stateChangelogTopics().forEach(topic -> internal.put(topic.name(), topic));
        }
        return internal;
    }

    private static SortedMap<String, Integer> taskCounts(Topology topology, KnownTopics topics) {
        TreeMap<String, Integer> tasks = new TreeMap<>();
        for (Subtopology subtopology : topology.subtopologies()) {
            int most = subtopology.allSources().stream()
                    .flatMap(name -> topics.find(name).stream())
                    .mapToInt(TopicInfo::partitions)
                    .max()
                    .orElse(0);
            tasks.put(subtopology.id(), most);
        }
        return tasks;
    }

    /** Up to three names, and how many more there are. */
    private static String summary(Collection<String> names) {
        String first = names.stream().limit(NAMES_IN_SUMMARY).collect(Collectors.joining(", "));
        int more = names.size() - NAMES_IN_SUMMARY;
        return more > 0 ? first + " and " + more + " additional topics" : first;
    }
}
