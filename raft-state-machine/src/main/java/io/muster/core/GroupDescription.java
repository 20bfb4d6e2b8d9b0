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
            String memberId,
            @Nullable String instanceId,
            @Nullable String rackId,
            int memberEpoch,
            ClientInfo client,
            List<String> subscribedTopicNames,
            String subscribedTopicRegex,
            Partitions<UUID> assignment,
            Partitions<UUID> targetAssignment) {}

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
            String memberId,
            int memberEpoch,
            @Nullable String instanceId,
            @Nullable String rackId,
            ClientInfo client,
            int topologyEpoch,
            String processId,
            @Nullable Endpoint userEndpoint,
            SortedMap<String, String> clientTags,
            List<TaskOffset> taskOffsets,
            List<TaskOffset> taskEndOffsets,
            TaskAssignment assignment,
            TaskAssignment targetAssignment) {}
}
