package io.muster.gateway.kafka.api;

import io.muster.core.ClientInfo;
import io.muster.core.Endpoint;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Partitions;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsHeartbeat.OwnedTasks;
import io.muster.core.Topology;
import io.muster.core.Topology.CopartitionGroup;
import io.muster.core.Topology.InternalTopic;
import io.muster.core.Topology.Subtopology;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
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
        boolean joins = data.memberEpoch() == StreamsHeartbeat.JOIN_EPOCH;
        return new StreamsHeartbeat(
                new Sender(
                        data.groupId(),
                        data.memberId(),
                        data.memberEpoch(),
                        data.instanceId(),
                        data.rackId(),
                        data.rebalanceTimeoutMs(),
                        client,
                        version),
                data.endpointInformationEpoch(),
                topology == null ? null : topology(topology),
                new OwnedTasks(
                        tasks(data.activeTasks(), joins),
                        tasks(data.standbyTasks(), joins),
                        tasks(data.warmupTasks(), joins)),
                new StreamsHeartbeat.ProcessDetails(
                        data.processId(),
                        endpoint == null ? null : new Endpoint(endpoint.host(), endpoint.port()),
                        tags == null ? null : map(tags)),
                new StreamsHeartbeat.OffsetReport(offsets(data.taskOffsets()), offsets(data.taskEndOffsets())),
                data.shutdownApplication());
    }

    /** What the request says twice, where only one can be meant: a client tag or a config of an internal topic. */
    static Optional<String> ambiguity(StreamsGroupHeartbeatRequestData data) {
        List<KeyValue> tags = data.clientTags();
        StreamsGroupHeartbeatRequestData.Topology topology = data.topology();
        if (tags == null && topology == null) {
            return Optional.empty();
        }
        return twice(tags == null ? List.of() : tags)
                .map(key -> "Client tag " + key + " is given twice.")
                .or(() -> internalTopics(topology)
                        .flatMap(topic -> twice(topic.topicConfigs()).stream()
                                .map(key -> "Config " + key + " of topic " + topic.name() + " is given twice."))
                        .findFirst());
    }

    private static Stream<TopicInfo> internalTopics(StreamsGroupHeartbeatRequestData.@Nullable Topology topology) {
        return topology == null
                ? Stream.empty()
                : topology.subtopologies().stream()
                        .flatMap(subtopology -> Stream.concat(
                                subtopology.stateChangelogTopics().stream(),
                                subtopology.repartitionSourceTopics().stream()));
    }

    private static Optional<String> twice(List<KeyValue> entries) {
        Set<String> seen = new HashSet<>();
        return entries.stream().map(KeyValue::key).filter(key -> !seen.add(key)).findFirst();
    }

    /** The topics that a topology names; none without a topology. */
    static Set<String> topics(@Nullable Topology topology) {
        if (topology == null) {
            return Set.of();
        }
        Set<String> names = new TreeSet<>();
        for (Subtopology subtopology : topology.subtopologies()) {
            names.addAll(subtopology.sourceTopics());
            names.addAll(subtopology.repartitionSinkTopics());
            subtopology.repartitionSourceTopics().forEach(topic -> names.add(topic.name()));
            subtopology.stateChangelogTopics().forEach(topic -> names.add(topic.name()));
        }
        return names;
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

    private static @Nullable Partitions<String> tasks(@Nullable List<TaskIds> tasks, boolean joins) {
        return Kafka.owned(tasks, joins, TaskIds::subtopologyId, TaskIds::partitions);
    }

    private static @Nullable List<io.muster.core.TaskOffset> offsets(@Nullable List<TaskOffset> offsets) {
        return offsets == null
                ? null
                : offsets.stream()
                        .map(one -> new io.muster.core.TaskOffset(one.subtopologyId(), one.partition(), one.offset()))
                        .toList();
    }
}
