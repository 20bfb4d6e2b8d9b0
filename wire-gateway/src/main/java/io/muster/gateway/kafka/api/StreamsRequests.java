package io.muster.gateway.kafka.api;

import io.muster.core.ClientInfo;
import io.muster.core.Endpoint;
import io.muster.core.Partitions;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsHeartbeat.OwnedTasks;
import io.muster.core.Topology;
import io.muster.core.Topology.CopartitionGroup;
import io.muster.core.Topology.InternalTopic;
import io.muster.core.Topology.Subtopology;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.KeyValue;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.TaskIds;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.TaskOffset;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.TopicInfo;
import org.jspecify.annotations.Nullable;

/** Reads StreamsGroupHeartbeat requests. */
final class StreamsRequests {
    private StreamsRequests() {}

    static StreamsHeartbeat heartbeat(StreamsGroupHeartbeatRequestData data, ClientInfo client, short version) {
        StreamsGroupHeartbeatRequestData.Topology topology = data.topology();
        StreamsGroupHeartbeatRequestData.Endpoint endpoint = data.userEndpoint();
        List<KeyValue> tags = data.clientTags();
        return new StreamsHeartbeat(
                data.groupId(),
                data.memberId(),
                data.memberEpoch(),
                data.endpointInformationEpoch(),
                data.instanceId(),
                data.rackId(),
                data.rebalanceTimeoutMs(),
                topology == null ? null : topology(topology),
                new OwnedTasks(tasks(data.activeTasks()), tasks(data.standbyTasks()), tasks(data.warmupTasks())),
                data.processId(),
                endpoint == null ? null : new Endpoint(endpoint.host(), endpoint.port()),
                tags == null ? null : map(tags),
                offsets(data.taskOffsets()),
                offsets(data.taskEndOffsets()),
                data.shutdownApplication(),
                client,
                version);
    }

    private static Topology topology(StreamsGroupHeartbeatRequestData.Topology topology) {
        return new Topology(
                topology.epoch(),
                topology.subtopologies().stream()
                        .map(StreamsRequests::subtopology)
                        .toList());
    }

    private static Subtopology subtopology(StreamsGroupHeartbeatRequestData.Subtopology data) {
        return new Subtopology(
                data.subtopologyId(),
                data.sourceTopics(),
                data.sourceTopicRegex(),
                data.stateChangelogTopics().stream()
                        .map(StreamsRequests::internalTopic)
                        .toList(),
                data.repartitionSinkTopics(),
                data.repartitionSourceTopics().stream()
                        .map(StreamsRequests::internalTopic)
                        .toList(),
                data.copartitionGroups().stream()
                        .map(group -> new CopartitionGroup(
                                ints(group.sourceTopics()),
                                ints(group.sourceTopicRegex()),
                                ints(group.repartitionSourceTopics())))
                        .toList());
    }

    private static InternalTopic internalTopic(TopicInfo topic) {
        return new InternalTopic(
                topic.name(), topic.partitions(), topic.replicationFactor(), map(topic.topicConfigs()));
    }

    private static List<Integer> ints(List<Short> numbers) {
        return numbers.stream().map(Short::intValue).toList();
    }

    private static SortedMap<String, String> map(List<KeyValue> entries) {
        SortedMap<String, String> map = new TreeMap<>();
        entries.forEach(entry -> map.put(entry.key(), entry.value()));
        return map;
    }

    private static @Nullable Partitions<String> tasks(@Nullable List<TaskIds> tasks) {
        return tasks == null ? null : Kafka.partitions(tasks, TaskIds::subtopologyId, TaskIds::partitions);
    }

    private static @Nullable List<io.muster.core.TaskOffset> offsets(@Nullable List<TaskOffset> offsets) {
        return offsets == null
                ? null
                : offsets.stream()
                        .map(one -> new io.muster.core.TaskOffset(one.subtopologyId(), one.partition(), one.offset()))
                        .toList();
    }
}
