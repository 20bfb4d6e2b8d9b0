package io.muster.core.streams;

import io.muster.core.Response.StreamsStatus;
import io.muster.core.Topology;
import io.muster.core.Topology.InternalTopic;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A topology against the topics that exist.
 *
 * @param topology the topology; with the partition counts of its internal topics if they could be computed
 * @param taskCounts number of tasks by subtopology id; empty unless the group is ready
 * @param problem why the group is not ready; empty if it is, and if too little is known of the topics
 * @param missing internal topics that are known to be absent, with final partition counts
 * @param flaw why the topology can never be configured; empty if it can, and if other problems come first
 */
record ConfiguredTopology(
        Topology topology,
        SortedMap<String, Integer> taskCounts,
        Optional<StreamsStatus> problem,
        List<InternalTopic> missing,
        Optional<String> flaw) {
    ConfiguredTopology {
        taskCounts = Collections.unmodifiableSortedMap(new TreeMap<>(taskCounts));
        missing = List.copyOf(missing);
    }

    static ConfiguredTopology ready(Topology topology, SortedMap<String, Integer> taskCounts) {
        return new ConfiguredTopology(topology, taskCounts, Optional.empty(), List.of(), Optional.empty());
    }

    /** Not ready, though nothing is known to be wrong: some topics are unknown. */
    static ConfiguredTopology undecided(Topology topology) {
        return new ConfiguredTopology(topology, new TreeMap<>(), Optional.empty(), List.of(), Optional.empty());
    }

    static ConfiguredTopology wrong(Topology topology, StreamsStatus.Code code, String detail) {
        return new ConfiguredTopology(
                topology, new TreeMap<>(), Optional.of(new StreamsStatus(code, detail)), List.of(), Optional.empty());
    }

    /** Can never be ready, whatever topics there are. */
    static ConfiguredTopology unsound(Topology topology) {
        return new ConfiguredTopology(
                topology,
                new TreeMap<>(),
                Optional.empty(),
                List.of(),
                Optional.of(TopologyValidation.structureFlaw(topology).orElseThrow()));
    }

    /** What is in the way, in words; empty if nothing is known to be. */
    Optional<String> trouble() {
        return problem.map(StreamsStatus::detail).or(() -> flaw).map(ConfiguredTopology::withoutStop);
    }

    private static String withoutStop(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    boolean isReady() {
        return !taskCounts.isEmpty()
                || (problem.isEmpty() && topology.subtopologies().isEmpty());
    }

    /** The topology's epoch, or -1 if the group is not ready. */
    int validatedEpoch() {
        return isReady() ? topology.epoch() : -1;
    }
}
