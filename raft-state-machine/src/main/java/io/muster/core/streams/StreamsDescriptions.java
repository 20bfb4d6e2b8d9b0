package io.muster.core.streams;

import io.muster.core.Bytes;
import io.muster.core.Group;
import io.muster.core.GroupDescription;
import io.muster.core.KnownTopics;
import io.muster.core.StreamsRecord.MemberSet;
import io.muster.core.TopicCatalogue;
import io.muster.core.Topology;
import org.jspecify.annotations.Nullable;

/** Describes Streams groups. */
final class StreamsDescriptions {
    private StreamsDescriptions() {}

    static GroupDescription describe(Group group, TopicCatalogue topics) {
        StreamsGroup streams = Streams.group(group);
        return new GroupDescription.Streams(
                group.id(),
                streams.state(),
                streams.groupEpoch(),
                streams.assignmentEpoch(),
                TargetAssignments.assignor(group).name(),
                topology(streams, KnownTopics.of(group, topics)),
                streams.members().all().stream()
                        .map(StreamsDescriptions::describe)
                        .toList(),
                streams.topology()
                        .map(topology -> streams.topologies().descriptions().get(topology.epoch()))
                        .orElse(Bytes.EMPTY));
    }

    /** With partition counts if the group is ready, else as the members sent it. */
    private static @Nullable Topology topology(StreamsGroup group, KnownTopics topics) {
        if (group.topology().isEmpty()) {
            return null;
        }
        Topology sent = group.topology().get();
        ConfiguredTopology configured = TopologyConfiguration.configure(sent, topics);
        return group.isReady() && configured.isReady() ? configured.topology() : sent;
    }

    private static GroupDescription.StreamsMember describe(StreamsMember member) {
        MemberSet profile = member.profile();
        return new GroupDescription.StreamsMember(
                profile.memberId(),
                member.epoch(),
                profile.instanceId(),
                profile.rackId(),
                profile.client(),
                profile.topologyEpoch(),
                profile.processId(),
                profile.userEndpoint(),
                profile.clientTags(),
                member.offsets().offsets(),
                member.offsets().endOffsets(),
                member.current().assigned(),
                member.target());
    }
}
