package io.muster.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A Streams topology as a member sends it (KIP-1071).
 *
 * @param epoch the client's topology epoch
 * @param subtopologies ordered by id
 */
public record Topology(int epoch, List<Subtopology> subtopologies) {
    public Topology {
        subtopologies = subtopologies.stream()
                .sorted(Comparator.comparing(Subtopology::id))
                .toList();
    }

    /** All topics that must exist before tasks can run. */
    public SortedSet<String> requiredTopics() {
        TreeSet<String> topics = new TreeSet<>();
        for (Subtopology subtopology : subtopologies) {
            topics.addAll(subtopology.allSources());
            subtopology.stateChangelogTopics().forEach(topic -> topics.add(topic.name()));
        }
        return topics;
    }

    /** All topics that members read: external ones and repartition topics. */
    public SortedSet<String> allSources() {
        TreeSet<String> topics = new TreeSet<>();
        subtopologies.forEach(subtopology -> topics.addAll(subtopology.allSources()));
        return topics;
    }

    /** The names of the changelogs of a subtopology's state; none if there is no such subtopology. */
    public List<String> changelogs(String subtopologyId) {
        return find(subtopologyId).stream()
                .flatMap(subtopology -> subtopology.stateChangelogTopics().stream())
                .map(InternalTopic::name)
                .toList();
    }

    public Optional<Subtopology> find(String subtopologyId) {
        return subtopologies.stream()
                .filter(subtopology -> subtopology.id().equals(subtopologyId))
                .findFirst();
    }

    /** A connected part of a topology; its tasks are numbered by the partitions of its source topics. */
    public record Subtopology(
            String id,
            List<String> sourceTopics,
            List<String> sourceTopicRegexes,
            List<InternalTopic> stateChangelogTopics,
            List<String> repartitionSinkTopics,
            List<InternalTopic> repartitionSourceTopics,
            List<CopartitionGroup> copartitionGroups) {
        public Subtopology {
            sourceTopics = List.copyOf(sourceTopics);
            sourceTopicRegexes = List.copyOf(sourceTopicRegexes);
            stateChangelogTopics = List.copyOf(stateChangelogTopics);
            repartitionSinkTopics = List.copyOf(repartitionSinkTopics);
            repartitionSourceTopics = List.copyOf(repartitionSourceTopics);
            copartitionGroups = List.copyOf(copartitionGroups);
        }

        /** The topics that this subtopology's tasks read: external ones first, then repartition topics. */
        public List<String> allSources() {
            List<String> sources = new ArrayList<>(sourceTopics);
            repartitionSourceTopics.forEach(topic -> sources.add(topic.name()));
            return sources;
        }

        public Subtopology withInternalTopics(List<InternalTopic> changelogs, List<InternalTopic> repartitionSources) {
            return new Subtopology(
                    id,
                    sourceTopics,
                    sourceTopicRegexes,
                    changelogs,
                    repartitionSinkTopics,
                    repartitionSources,
                    copartitionGroups);
        }
    }

    /**
     * A topic that belongs to the application and is created for it.
     *
     * @param partitions 0 if it follows from the source topics
     * @param replicationFactor 0 for the broker's default
     */
    public record InternalTopic(String name, int partitions, int replicationFactor, SortedMap<String, String> configs) {
        public InternalTopic {
            configs = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(configs));
        }

        public InternalTopic withPartitions(int count) {
            return new InternalTopic(name, count, replicationFactor, configs);
        }
    }

    /** A task: a subtopology's part that reads the partitions of this number. */
    public record TaskId(String subtopologyId, int partition) implements Comparable<TaskId> {
        public static TaskId of(TaskOffset offset) {
            return new TaskId(offset.subtopologyId(), offset.partition());
        }

        /** Tasks by subtopology id, in their order. */
        public static List<TaskId> of(Partitions<String> tasks) {
            List<TaskId> ids = new ArrayList<>();
            tasks.forEach((subtopology, partition) -> ids.add(new TaskId(subtopology, partition)));
            return ids;
        }

        @Override
        public int compareTo(TaskId other) {
            int byId = subtopologyId.compareTo(other.subtopologyId);
            return byId != 0 ? byId : Integer.compare(partition, other.partition);
        }

        /** As Kafka Streams writes it. */
        @Override
        public String toString() {
            return subtopologyId + "_" + partition;
        }
    }

    /** Topics that must have equal partition counts; each number is an index into the subtopology's list. */
    public record CopartitionGroup(
            List<Integer> sourceTopics, List<Integer> sourceTopicRegexes, List<Integer> repartitionSourceTopics) {
        public CopartitionGroup {
            sourceTopics = List.copyOf(sourceTopics);
            sourceTopicRegexes = List.copyOf(sourceTopicRegexes);
            repartitionSourceTopics = List.copyOf(repartitionSourceTopics);
        }
    }
}
