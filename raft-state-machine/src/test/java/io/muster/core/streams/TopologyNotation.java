package io.muster.core.streams;

import io.muster.core.Topology;
import io.muster.core.Topology.CopartitionGroup;
import io.muster.core.Topology.InternalTopic;
import io.muster.core.Topology.Subtopology;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Topologies in few words; see {@link StreamsStoryScript} for the notation. */
final class TopologyNotation {
    private TopologyNotation() {}

    static Topology topology(int epoch, Subtopology... subtopologies) {
        return new Topology(epoch, List.of(subtopologies));
    }

    static Subtopology subtopology(String id, String... words) {
        return subtopology(id, List.of(words));
    }

    static Subtopology subtopology(String id, List<String> words) {
        List<String> sources = new ArrayList<>();
        List<String> sinks = new ArrayList<>();
        List<InternalTopic> changelogs = new ArrayList<>();
        List<InternalTopic> repartitions = new ArrayList<>();
        List<String> copartitions = new ArrayList<>();
        for (String word : words) {
            if (word.startsWith(">")) {
                sinks.add(word.substring(1));
            } else if (word.startsWith("+")) {
                changelogs.add(internal(word.substring(1)));
            } else if (word.startsWith("*")) {
                repartitions.add(internal(word.substring(1)));
            } else if (word.startsWith("~")) {
                copartitions.add(word.substring(1));
            } else if (!word.isEmpty()) {
                sources.add(word);
            }
        }
        List<CopartitionGroup> groups = copartitions.stream()
                .map(names -> copartition(List.of(names.split(",")), sources, repartitions))
                .toList();
        return new Subtopology(id, sources, List.of(), changelogs, sinks, repartitions, groups);
    }

    private static InternalTopic internal(String word) {
        String[] nameAndCount = word.split("=");
        int count = nameAndCount.length > 1 ? Integer.parseInt(nameAndCount[1]) : 0;
        return new InternalTopic(nameAndCount[0], count, 0, new TreeMap<>());
    }

    private static CopartitionGroup copartition(
            List<String> names, List<String> sources, List<InternalTopic> repartitions) {
        List<Integer> external =
                names.stream().filter(sources::contains).map(sources::indexOf).toList();
        List<String> internalNames =
                repartitions.stream().map(InternalTopic::name).toList();
        List<Integer> internal = names.stream()
                .filter(internalNames::contains)
                .map(internalNames::indexOf)
                .toList();
        return new CopartitionGroup(external, List.of(), internal);
    }
}
