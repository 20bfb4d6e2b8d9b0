package io.muster.core;

import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Answers {@link GroupCommand.Describe}. */
public sealed interface GroupDescription extends Response {
    String groupId();

    GroupState state();

    int groupEpoch();

    int assignmentEpoch();

    /** Who a member of any group type is. */
    record MemberIdentity(
            String memberId,
            @Nullable String instanceId,
            @Nullable String rackId,
            int memberEpoch,
            ClientInfo client) {}

    /** A member of any group type, as it is described. */
    interface DescribedMember {
        MemberIdentity identity();

        default String memberId() {
            return identity().memberId();
        }

        default @Nullable String instanceId() {
            return identity().instanceId();
        }

        default @Nullable String rackId() {
            return identity().rackId();
        }

        default int memberEpoch() {
            return identity().memberEpoch();
        }

        default ClientInfo client() {
            return identity().client();
        }
    }

    /** ConsumerGroupDescribe. */
    record Consumer(
            String groupId,
            GroupState state,
            int groupEpoch,
            int assignmentEpoch,
            String assignorName,
            List<ConsumerMember> members,
            SortedMap<UUID, String> topicNames)
            implements GroupDescription {}

    /** A member of a consumer group; partitions by topic id. */
    record ConsumerMember(
            MemberIdentity identity,
            List<String> subscribedTopicNames,
            String subscribedTopicRegex,
            Partitions<UUID> assignment,
            Partitions<UUID> targetAssignment)
            implements DescribedMember {}

    /**
     * StreamsGroupDescribe.
     *
     * @param topology configured with partition counts if the group is ready, else as the members sent it; null if none
     * @param topologyDescription as pushed by a member, empty if none
     */
    record Streams(
            String groupId,
            GroupState state,
            int groupEpoch,
            int assignmentEpoch,
            String assignorName,
            @Nullable Topology topology,
            List<StreamsMember> members,
            Bytes topologyDescription)
            implements GroupDescription {}

    /** A member of a Streams group. */
    record StreamsMember(
            MemberIdentity identity,
            int topologyEpoch,
            String processId,
            @Nullable Endpoint userEndpoint,
            SortedMap<String, String> clientTags,
            ReportedOffsets reported,
            TaskAssignment assignment,
            TaskAssignment targetAssignment)
            implements DescribedMember {}

    /** The last task offsets that a member reported, as sums by task. */
    record ReportedOffsets(List<TaskOffset> offsets, List<TaskOffset> endOffsets) {}
}
