package io.muster.wire;

import io.muster.core.Topology;
import io.muster.core.Topology.CopartitionGroup;
import io.muster.core.Topology.InternalTopic;
import io.muster.core.Topology.Subtopology;
import io.muster.rpc.proto.Wire;
import java.util.List;

/** Translates Streams topologies. */
final class TopologyCodec {
    private TopologyCodec() {}

    static Wire.Topology encode(Topology topology) {
        return Wire.Topology.newBuilder()
                .setEpoch(topology.epoch())
                .addAllSubtopologies(topology.subtopologies().stream()
                        .map(TopologyCodec::encode)
                        .toList())
                .build();
    }

    static Topology decode(Wire.Topology message) {
        return new Topology(
                message.getEpoch(),
                message.getSubtopologiesList().stream()
                        .map(TopologyCodec::decode)
                        .toList());
    }

    private static Wire.Topology.Subtopology encode(Subtopology subtopology) {
        return Wire.Topology.Subtopology.newBuilder()
                .setId(subtopology.id())
                .addAllSourceTopics(subtopology.sourceTopics())
                .addAllSourceTopicRegexes(subtopology.sourceTopicRegexes())
                .addAllStateChangelogTopics(encodeTopics(subtopology.stateChangelogTopics()))
                .addAllRepartitionSinkTopics(subtopology.repartitionSinkTopics())
                .addAllRepartitionSourceTopics(encodeTopics(subtopology.repartitionSourceTopics()))
                .addAllCopartitionGroups(subtopology.copartitionGroups().stream()
                        .map(TopologyCodec::encode)
                        .toList())
                .build();
    }

    private static Subtopology decode(Wire.Topology.Subtopology message) {
        return new Subtopology(
                message.getId(),
                message.getSourceTopicsList(),
                message.getSourceTopicRegexesList(),
                decodeTopics(message.getStateChangelogTopicsList()),
                message.getRepartitionSinkTopicsList(),
                decodeTopics(message.getRepartitionSourceTopicsList()),
                message.getCopartitionGroupsList().stream()
                        .map(group -> new CopartitionGroup(
                                group.getSourceTopicsList(),
                                group.getSourceTopicRegexesList(),
                                group.getRepartitionSourceTopicsList()))
                        .toList());
    }

    private static Wire.Topology.CopartitionGroup encode(CopartitionGroup group) {
        return Wire.Topology.CopartitionGroup.newBuilder()
                .addAllSourceTopics(group.sourceTopics())
                .addAllSourceTopicRegexes(group.sourceTopicRegexes())
                .addAllRepartitionSourceTopics(group.repartitionSourceTopics())
                .build();
    }

    static List<Wire.InternalTopic> encodeTopics(List<InternalTopic> topics) {
        return topics.stream()
                .map(topic -> Wire.InternalTopic.newBuilder()
                        .setName(topic.name())
                        .setPartitions(topic.partitions())
                        .setReplicationFactor(topic.replicationFactor())
                        .addAllConfigs(ValueCodec.encodeEntries(topic.configs()))
                        .build())
                .toList();
    }

    static List<InternalTopic> decodeTopics(List<Wire.InternalTopic> messages) {
        return messages.stream()
                .map(message -> new InternalTopic(
                        message.getName(),
                        message.getPartitions(),
                        message.getReplicationFactor(),
                        ValueCodec.decodeEntries(message.getConfigsList())))
                .toList();
    }
}
