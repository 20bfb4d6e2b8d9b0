package io.muster.gateway.kafka.api;

import io.muster.core.Endpoint;
import io.muster.core.GroupDescription;
import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.Assignment;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.KeyValue;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.Member;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.Subtopology;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.TaskIds;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.TaskOffset;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.TopicInfo;

/** Streams groups as StreamsGroupDescribe writes them. */
final class DescribedStreamsGroups {
    private DescribedStreamsGroups() {}

    static DescribedGroup group(GroupDescription.Streams group) {
        DescribedGroup described = new DescribedGroup()
                .setGroupId(group.groupId())
                .setGroupState(group.state().kafkaName())
                .setGroupEpoch(group.groupEpoch())
                .setAssignmentEpoch(group.assignmentEpoch())
                .setMembers(group.members().stream()
                        .map(DescribedStreamsGroups::member)
                        .toList());
        Topology topology = group.topology();
        return topology == null ? described : described.setTopology(topology(topology));
    }

    private static StreamsGroupDescribeResponseData.Topology topology(Topology topology) {
        return new StreamsGroupDescribeResponseData.Topology()
                .setEpoch(topology.epoch())
                .setSubtopologies(topology.subtopologies().stream()
                        .map(part -> new Subtopology()
                                .setSubtopologyId(part.id())
                                .setSourceTopics(part.sourceTopics())
                                .setRepartitionSinkTopics(part.repartitionSinkTopics())
                                .setStateChangelogTopics(topics(part.stateChangelogTopics()))
                                .setRepartitionSourceTopics(topics(part.repartitionSourceTopics())))
                        .toList());
    }

    private static List<TopicInfo> topics(List<Topology.InternalTopic> topics) {
        return topics.stream()
                .map(topic -> new TopicInfo()
                        .setName(topic.name())
                        .setPartitions(topic.partitions())
                        .setReplicationFactor((short) topic.replicationFactor())
                        .setTopicConfigs(entries(topic.configs())))
                .toList();
    }

    private static Member member(GroupDescription.StreamsMember member) {
        Member described = new Member()
                .setMemberId(member.memberId())
                .setMemberEpoch(member.memberEpoch())
                .setInstanceId(member.instanceId())
                .setRackId(member.rackId())
                .setClientId(member.client().clientId())
                .setClientHost(member.client().clientHost())
                .setTopologyEpoch(member.topologyEpoch())
                .setProcessId(member.processId())
                .setClientTags(entries(member.clientTags()))
                .setTaskOffsets(offsets(member.reported().offsets()))
                .setTaskEndOffsets(offsets(member.reported().endOffsets()))
                .setAssignment(assignment(member.assignment()))
                .setTargetAssignment(assignment(member.targetAssignment()));
        Endpoint endpoint = member.userEndpoint();
        return endpoint == null
                ? described
                : described.setUserEndpoint(new StreamsGroupDescribeResponseData.Endpoint()
                        .setHost(endpoint.host())
                        .setPort(endpoint.port()));
    }

    private static List<KeyValue> entries(SortedMap<String, String> map) {
        List<KeyValue> entries = new ArrayList<>();
        map.forEach((key, value) -> entries.add(new KeyValue().setKey(key).setValue(value)));
        return entries;
    }

    private static List<TaskOffset> offsets(List<io.muster.core.TaskOffset> offsets) {
        return offsets.stream()
                .map(one -> new TaskOffset()
                        .setSubtopologyId(one.subtopologyId())
                        .setPartition(one.partition())
                        .setOffset(one.offset()))
                .toList();
    }

    private static Assignment assignment(TaskAssignment assignment) {
        return new Assignment()
                .setActiveTasks(tasks(assignment.active()))
                .setStandbyTasks(tasks(assignment.standby()))
                .setWarmupTasks(tasks(assignment.warmup()));
    }

    private static List<TaskIds> tasks(Partitions<String> tasks) {
        return Kafka.entries(
                tasks, (id, numbers) -> new TaskIds().setSubtopologyId(id).setPartitions(numbers));
    }
}
