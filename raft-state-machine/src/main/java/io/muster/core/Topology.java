package io.muster.core;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A Streams topology as a member sends it (KIP-1071).
 *
 * @param epoch the client's topology epoch
 */
public record Topology(int epoch, List<Subtopology> subtopologies) {
    public Topology {
        subtopologies = List.copyOf(subtopologies);
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
