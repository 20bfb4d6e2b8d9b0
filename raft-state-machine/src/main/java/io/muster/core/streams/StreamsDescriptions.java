package io.muster.core.streams;

import io.muster.core.Bytes;
import io.muster.core.DecisionContext;
import io.muster.core.Group;
import io.muster.core.GroupDescription;
import io.muster.core.KnownTopics;
import io.muster.core.StreamsGroupRecord.MemberSet;
import io.muster.core.Topology;
import org.jspecify.annotations.Nullable;

/** Describes Streams groups. */
final class StreamsDescriptions {
    private StreamsDescriptions() {}

    static GroupDescription describe(Group group, DecisionContext context) {
        StreamsGroup streams = StreamsGroup.of(group);
        return new GroupDescription.Streams(
                group.id(),
                streams.state(),
                streams.groupEpoch(),
                streams.assignmentEpoch(),
                StreamsTargetAssignments.assignor(group).name(),
                topology(group, context),
                streams.members().all().stream()
                        .map(StreamsDescriptions::describe)
                        .toList(),
                streams.topology()
                        .map(topology -> streams.topologies().descriptions().get(topology.epoch()))
                        .orElse(Bytes.EMPTY));
    }

    /**
     * With partition counts if the group is ready, else as the members sent it. Kafka knows no counts before a group's second
     * heartbeat.
     */
    private static @Nullable Topology topology(Group described, DecisionContext context) {
        StreamsGroup group = StreamsGroup.of(described);
        if (group.topology().isEmpty()) {
            return null;
        }
        Topology sent = group.topology().get();
        if (!group.isReady() || context.memory().streams().justFounded()) {
            return sent;
        }
        ConfiguredTopology configured = TopologyConfiguration.configure(sent, KnownTopics.of(described, context));
        return configured.isReady() ? configured.topology() : sent;
    }

    private static GroupDescription.StreamsMember describe(StreamsMember member) {
        MemberSet profile = member.profile();
        return new GroupDescription.StreamsMember(
                new GroupDescription.MemberIdentity(
                        profile.memberId(), profile.instanceId(), profile.rackId(), member.epoch(), profile.client()),
                profile.topologyEpoch(),
                profile.processId(),
                profile.userEndpoint(),
                profile.clientTags(),
                new GroupDescription.ReportedOffsets(
                        member.offsets().offsets(), member.offsets().endOffsets()),
                member.current().assigned(),
                member.target());
    }
}
