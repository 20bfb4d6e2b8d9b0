package io.muster.codec;

import io.muster.codec.proto.Values;
import io.muster.core.Topology;
import io.muster.core.Topology.CopartitionGroup;
import io.muster.core.Topology.InternalTopic;
import io.muster.core.Topology.Subtopology;
import java.util.List;

/** Translates Streams topologies. */
public final class TopologyCodec {
    private TopologyCodec() {}

    public static Values.Topology encode(Topology topology) {
        return Values.Topology.newBuilder()
                .setEpoch(topology.epoch())
                .addAllSubtopologies(topology.subtopologies().stream()
                        .map(TopologyCodec::encode)
                        .toList())
                .build();
    }

    public static Topology decode(Values.Topology message) {
        return new Topology(
                message.getEpoch(),
                message.getSubtopologiesList().stream()
                        .map(TopologyCodec::decode)
                        .toList());
    }

    private static Values.Topology.Subtopology encode(Subtopology subtopology) {
        return Values.Topology.Subtopology.newBuilder()
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

    private static Subtopology decode(Values.Topology.Subtopology message) {
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

    private static Values.Topology.CopartitionGroup encode(CopartitionGroup group) {
        return Values.Topology.CopartitionGroup.newBuilder()
                .addAllSourceTopics(group.sourceTopics())
                .addAllSourceTopicRegexes(group.sourceTopicRegexes())
                .addAllRepartitionSourceTopics(group.repartitionSourceTopics())
                .build();
    }

    public static List<Values.InternalTopic> encodeTopics(List<InternalTopic> topics) {
        return topics.stream()
                .map(topic -> Values.InternalTopic.newBuilder()
                        .setName(topic.name())
                        .setPartitions(topic.partitions())
                        .setReplicationFactor(topic.replicationFactor())
                        .addAllConfigs(ValueCodec.encodeEntries(topic.configs()))
                        .build())
                .toList();
    }

    public static List<InternalTopic> decodeTopics(List<Values.InternalTopic> messages) {
        return messages.stream()
                .map(message -> new InternalTopic(
                        message.getName(),
                        message.getPartitions(),
                        message.getReplicationFactor(),
                        ValueCodec.decodeEntries(message.getConfigsList())))
                .toList();
    }
}
