package io.muster.codec;

import io.muster.codec.proto.Records;
import io.muster.core.Topology;
import io.muster.core.Topology.CopartitionGroup;
import io.muster.core.Topology.InternalTopic;
import io.muster.core.Topology.Subtopology;
import java.util.List;

/** Translates the topology of a Streams group. */
final class TopologyRecords {
    private TopologyRecords() {}

    static Records.StreamsTopologySet encode(Topology topology) {
        return Records.StreamsTopologySet.newBuilder()
                .setEpoch(topology.epoch())
                .addAllSubtopologies(topology.subtopologies().stream()
                        .map(TopologyRecords::encode)
                        .toList())
                .build();
    }

    static Topology decode(Records.StreamsTopologySet message) {
        return new Topology(
                message.getEpoch(),
                message.getSubtopologiesList().stream()
                        .map(TopologyRecords::decode)
                        .toList());
    }

    private static Records.Subtopology encode(Subtopology subtopology) {
        return Records.Subtopology.newBuilder()
                .setId(subtopology.id())
                .addAllSourceTopics(subtopology.sourceTopics())
                .addAllSourceTopicRegexes(subtopology.sourceTopicRegexes())
                .addAllStateChangelogTopics(encode(subtopology.stateChangelogTopics()))
                .addAllRepartitionSinkTopics(subtopology.repartitionSinkTopics())
                .addAllRepartitionSourceTopics(encode(subtopology.repartitionSourceTopics()))
                .addAllCopartitionGroups(subtopology.copartitionGroups().stream()
                        .map(group -> Records.CopartitionGroup.newBuilder()
                                .addAllSourceTopics(group.sourceTopics())
                                .addAllSourceTopicRegexes(group.sourceTopicRegexes())
                                .addAllRepartitionSourceTopics(group.repartitionSourceTopics())
                                .build())
                        .toList())
                .build();
    }

    private static Subtopology decode(Records.Subtopology message) {
        return new Subtopology(
                message.getId(),
                message.getSourceTopicsList(),
                message.getSourceTopicRegexesList(),
                decode(message.getStateChangelogTopicsList()),
                message.getRepartitionSinkTopicsList(),
                decode(message.getRepartitionSourceTopicsList()),
                message.getCopartitionGroupsList().stream()
                        .map(group -> new CopartitionGroup(
                                group.getSourceTopicsList(),
                                group.getSourceTopicRegexesList(),
                                group.getRepartitionSourceTopicsList()))
                        .toList());
    }

    private static List<Records.InternalTopic> encode(List<InternalTopic> topics) {
        return topics.stream()
                .map(topic -> Records.InternalTopic.newBuilder()
                        .setName(topic.name())
                        .setPartitions(topic.partitions())
                        .setReplicationFactor(topic.replicationFactor())
                        .addAllConfigs(RecordValues.encodeEntries(topic.configs()))
                        .build())
                .toList();
    }

    private static List<InternalTopic> decode(List<Records.InternalTopic> messages) {
        return messages.stream()
                .map(message -> new InternalTopic(
                        message.getName(),
                        message.getPartitions(),
                        message.getReplicationFactor(),
                        RecordValues.decodeEntries(message.getConfigsList())))
                .toList();
    }
}
