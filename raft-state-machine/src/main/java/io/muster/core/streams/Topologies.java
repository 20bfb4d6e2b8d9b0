package io.muster.core.streams;

import io.muster.core.Bytes;
import io.muster.core.StreamsGroupRecord.TopologyDescriptionSet;
import io.muster.core.Topology;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The topologies of a group by epoch: the one of the highest epoch is the group's, older ones stay while members or tasks need
 * them.
 *
 * @param descriptions the textual forms that members pushed, each by its topology's epoch
 */
record Topologies(SortedMap<Integer, Topology> byEpoch, SortedMap<Integer, Bytes> descriptions) {
    static final Topologies NONE = new Topologies(new TreeMap<>(), new TreeMap<>());

    Topologies {
        byEpoch = Collections.unmodifiableSortedMap(byEpoch);
        descriptions = Collections.unmodifiableSortedMap(descriptions);
    }

    /** The group's topology; empty before the first join and after an operator reset it. */
    Optional<Topology> newest() {
        return byEpoch.isEmpty() ? Optional.empty() : find(byEpoch.lastKey());
    }

    Optional<Topology> find(int epoch) {
        return Optional.ofNullable(byEpoch.get(epoch));
    }

    boolean areMany() {
        return byEpoch.size() > 1;
    }

    /** All topics that any of them needs. */
    SortedSet<String> requiredTopics() {
        TreeSet<String> topics = new TreeSet<>();
        byEpoch.values().forEach(topology -> topics.addAll(topology.requiredTopics()));
        return topics;
    }

    Topologies with(Topology topology) {
        TreeMap<Integer, Topology> next = new TreeMap<>(byEpoch);
        next.put(topology.epoch(), topology);
        return new Topologies(next, descriptions);
    }

    Topologies with(TopologyDescriptionSet set) {
        TreeMap<Integer, Bytes> next = new TreeMap<>(descriptions);
        next.put(set.topologyEpoch(), set.description());
        return new Topologies(byEpoch, next);
    }

    Topologies without(int epoch) {
        TreeMap<Integer, Topology> fewer = new TreeMap<>(byEpoch);
        fewer.remove(epoch);
        TreeMap<Integer, Bytes> fewerDescriptions = new TreeMap<>(descriptions);
        fewerDescriptions.remove(epoch);
        return new Topologies(fewer, fewerDescriptions);
    }
}
