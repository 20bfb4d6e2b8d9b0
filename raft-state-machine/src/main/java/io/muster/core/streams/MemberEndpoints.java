package io.muster.core.streams;

import io.muster.core.Endpoint;
import io.muster.core.GroupDraft;
import io.muster.core.KnownTopics;
import io.muster.core.Partitions;
import io.muster.core.Response.EndpointInformation;
import io.muster.core.Response.EndpointPartitions;
import io.muster.core.TaskAssignment;
import io.muster.core.TopicInfo;
import io.muster.core.Topology;
import io.muster.core.Topology.Subtopology;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What members learn about where interactive queries are answered (KIP-1071). */
final class MemberEndpoints {
    private MemberEndpoints() {}

    /**
     * Tells a member about the endpoints.
     *
     * @param knownEpoch the epoch that the member has
     * @param raises whether this heartbeat changed what others should know of it
     * @param founding whether this is the join that created the group: its epoch is 0 and stays so
     */
    static EndpointInformation inform(GroupDraft draft, int knownEpoch, boolean raises, boolean founding) {
        int epoch = draft.memory().streams().endpointEpoch() + (raises ? 1 : 0);
        List<EndpointPartitions> endpoints = epoch == knownEpoch ? null : endpoints(draft);
        if (founding) {
            return new EndpointInformation(0, endpoints);
        }
        if (raises) {
            draft.remember(draft.memory().withStreams(draft.memory().streams().withEndpointEpoch(epoch)));
        }
        return new EndpointInformation(epoch, endpoints);
    }

    private static List<EndpointPartitions> endpoints(GroupDraft draft) {
        List<EndpointPartitions> endpoints = new ArrayList<>();
        for (StreamsMember member : StreamsGroup.of(draft).members().all()) {
            Endpoint endpoint = member.profile().userEndpoint();
            if (endpoint != null) {
                Topology topology = StreamsGroup.of(draft).topologyOf(member);
                TaskAssignment assigned = member.current().assigned();
                endpoints.add(new EndpointPartitions(
                        endpoint,
                        partitions(draft, topology, assigned.active()),
                        partitions(draft, topology, assigned.standby().plus(assigned.warmup()))));
            }
        }
        return endpoints;
    }

    /** The source partitions of tasks, by topic name, for each subtopology that has any. */
    private static List<Partitions<String>> partitions(GroupDraft draft, Topology topology, Partitions<String> tasks) {
        KnownTopics topics = KnownTopics.of(draft);
        List<Partitions<String>> served = new ArrayList<>();
        for (Subtopology subtopology : topology.subtopologies()) {
            SortedSet<Integer> numbers = tasks.byKey().getOrDefault(subtopology.id(), new TreeSet<>());
            TreeMap<String, TreeSet<Integer>> byTopic = new TreeMap<>();
            for (String topic : subtopology.allSources()) {
                int count = topics.find(topic).map(TopicInfo::partitions).orElse(0);
                byTopic.put(topic, new TreeSet<>(numbers.headSet(count)));
            }
            Partitions<String> partitions = Partitions.copyOf(byTopic);
            if (!partitions.isEmpty()) {
                served.add(partitions);
            }
        }
        return served;
    }
}
