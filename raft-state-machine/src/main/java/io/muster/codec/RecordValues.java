package io.muster.codec;

import io.muster.codec.proto.Records;
import io.muster.core.Endpoint;
import io.muster.core.PartitionRacks;
import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.TaskOffset;
import io.muster.core.TopicInfo;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Translates the small values of which records are made. */
final class RecordValues {
    private RecordValues() {}

    static List<Records.IdPartitions> encodeIds(Partitions<UUID> partitions) {
        return partitions.byKey().entrySet().stream()
                .map(entry -> Records.IdPartitions.newBuilder()
                        .setIdHigh(entry.getKey().getMostSignificantBits())
                        .setIdLow(entry.getKey().getLeastSignificantBits())
                        .addAllNumbers(entry.getValue())
                        .build())
                .toList();
    }

    static Partitions<UUID> decodeIds(List<Records.IdPartitions> messages) {
        SortedMap<UUID, SortedSet<Integer>> byId = new TreeMap<>();
        messages.forEach(message ->
                byId.put(new UUID(message.getIdHigh(), message.getIdLow()), new TreeSet<>(message.getNumbersList())));
        return new Partitions<>(byId);
    }

    private static List<Records.NamePartitions> encodeNames(Partitions<String> partitions) {
        return partitions.byKey().entrySet().stream()
                .map(entry -> Records.NamePartitions.newBuilder()
                        .setKey(entry.getKey())
                        .addAllNumbers(entry.getValue())
                        .build())
                .toList();
    }

    private static Partitions<String> decodeNames(List<Records.NamePartitions> messages) {
        SortedMap<String, SortedSet<Integer>> byName = new TreeMap<>();
        messages.forEach(message -> byName.put(message.getKey(), new TreeSet<>(message.getNumbersList())));
        return new Partitions<>(byName);
    }

    static Records.Tasks encode(TaskAssignment tasks) {
        return Records.Tasks.newBuilder()
                .addAllActive(encodeNames(tasks.active()))
                .addAllStandby(encodeNames(tasks.standby()))
                .addAllWarmup(encodeNames(tasks.warmup()))
                .build();
    }

    static TaskAssignment decode(Records.Tasks message) {
        return new TaskAssignment(
                decodeNames(message.getActiveList()),
                decodeNames(message.getStandbyList()),
                decodeNames(message.getWarmupList()));
    }

    static Records.Endpoint encode(Endpoint endpoint) {
        return Records.Endpoint.newBuilder()
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .build();
    }

    static Endpoint decode(Records.Endpoint message) {
        return new Endpoint(message.getHost(), message.getPort());
    }

    static List<Records.TaskOffset> encodeOffsets(List<TaskOffset> offsets) {
        return offsets.stream()
                .map(offset -> Records.TaskOffset.newBuilder()
                        .setSubtopologyId(offset.subtopologyId())
                        .setPartition(offset.partition())
                        .setOffset(offset.offset())
                        .build())
                .toList();
    }

    static List<TaskOffset> decodeOffsets(List<Records.TaskOffset> messages) {
        return messages.stream()
                .map(message -> new TaskOffset(message.getSubtopologyId(), message.getPartition(), message.getOffset()))
                .toList();
    }

    static List<Records.KeyValue> encodeEntries(SortedMap<String, String> entries) {
        return entries.entrySet().stream()
                .map(entry -> Records.KeyValue.newBuilder()
                        .setKey(entry.getKey())
                        .setValue(entry.getValue())
                        .build())
                .toList();
    }

    static SortedMap<String, String> decodeEntries(List<Records.KeyValue> messages) {
        SortedMap<String, String> entries = new TreeMap<>();
        messages.forEach(message -> entries.put(message.getKey(), message.getValue()));
        return entries;
    }

    static List<Records.TopicInfo> encodeTopics(SortedMap<String, TopicInfo> topics) {
        return topics.values().stream()
                .map(topic -> Records.TopicInfo.newBuilder()
                        .setName(topic.name())
                        .setIdHigh(topic.id().getMostSignificantBits())
                        .setIdLow(topic.id().getLeastSignificantBits())
                        .setPartitions(topic.partitions())
                        .addAllRackSets(topic.racks().sets().stream()
                                .map(racks -> Records.RackSet.newBuilder()
                                        .addAllRacks(racks)
                                        .build())
                                .toList())
                        .addAllRackSetOfPartition(topic.racks().setOf())
                        .build())
                .toList();
    }

    static SortedMap<String, TopicInfo> decodeTopics(List<Records.TopicInfo> messages) {
        SortedMap<String, TopicInfo> topics = new TreeMap<>();
        messages.forEach(message -> topics.put(
                message.getName(),
                new TopicInfo(
                        message.getName(),
                        new UUID(message.getIdHigh(), message.getIdLow()),
                        message.getPartitions(),
                        decodeRacks(message))));
        return topics;
    }

    private static PartitionRacks decodeRacks(Records.TopicInfo message) {
        return PartitionRacks.of(
                message.getRackSetsList().stream()
                        .map(Records.RackSet::getRacksList)
                        .toList(),
                message.getRackSetOfPartitionList());
    }
}
