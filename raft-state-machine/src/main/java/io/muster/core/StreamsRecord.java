package io.muster.core;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Facts about a Streams group. */
public sealed interface StreamsRecord extends GroupRecord {
    /** The group exists and has these epochs. */
    record GroupSet(int groupEpoch, int assignmentEpoch, long assignedAtMillis, boolean shutdownRequested)
            implements StreamsRecord {}

    /** The group's topology as members send it. */
    record TopologySet(Topology topology) implements StreamsRecord {}

    /** The textual description that a member pushed for the topology of this epoch. */
    record TopologyDescriptionSet(int topologyEpoch, Bytes description) implements StreamsRecord {}

    /** What a member told about itself. */
    record MemberSet(
            String memberId,
            @Nullable String instanceId,
            @Nullable String rackId,
            ClientInfo client,
            int rebalanceTimeoutMillis,
            int topologyEpoch,
            String processId,
            @Nullable Endpoint userEndpoint,
            SortedMap<String, String> clientTags)
            implements StreamsRecord {}

    /** The last task offsets that a member reported. */
    record TaskOffsetsSet(String memberId, List<TaskOffset> offsets, List<TaskOffset> endOffsets)
            implements StreamsRecord {}

    /** The member is gone, with all that was recorded under its id. */
    record MemberRemoved(String memberId) implements StreamsRecord {}

    /** What the member shall have. */
    record TargetSet(String memberId, TaskAssignment tasks) implements StreamsRecord {}

    /** Where the member stands on its way to its target. */
    record CurrentSet(
            String memberId,
            int memberEpoch,
            int previousMemberEpoch,
            TaskAssignment assigned,
            TaskAssignment pendingRevocation)
            implements StreamsRecord {}
}
