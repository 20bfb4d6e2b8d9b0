package io.muster.codec;

import com.google.protobuf.ByteString;
import io.muster.codec.proto.Values;
import io.muster.core.Bytes;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClientInfo;
import io.muster.core.Endpoint;
import io.muster.core.HistoryEntry;
import io.muster.core.PartitionRacks;
import io.muster.core.Partitions;
import io.muster.core.ShardTime;
import io.muster.core.TaskAssignment;
import io.muster.core.TaskOffset;
import io.muster.core.TopicInfo;
import io.muster.runtime.ClusterIdentity;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Translates the values that records, commands, responses and watches share. */
public final class ValueCodec {
    private ValueCodec() {}

    public static Values.IdPartitions encodeIds(Partitions<UUID> partitions) {
        Values.IdPartitions.Builder message = Values.IdPartitions.newBuilder();
        partitions
                .byKey()
                .forEach((id, numbers) -> message.addEntries(Values.IdPartitions.Entry.newBuilder()
                        .setIdHigh(id.getMostSignificantBits())
                        .setIdLow(id.getLeastSignificantBits())
                        .addAllNumbers(numbers)));
        return message.build();
    }

    public static Partitions<UUID> decodeIds(Values.IdPartitions message) {
        SortedMap<UUID, SortedSet<Integer>> byId = new TreeMap<>();
        message.getEntriesList()
                .forEach(entry -> byId.computeIfAbsent(
                                new UUID(entry.getIdHigh(), entry.getIdLow()), id -> new TreeSet<>())
                        .addAll(entry.getNumbersList()));
        return new Partitions<>(byId);
    }

    public static Values.NamePartitions encodeNames(Partitions<String> partitions) {
        Values.NamePartitions.Builder message = Values.NamePartitions.newBuilder();
        partitions
                .byKey()
                .forEach((key, numbers) -> message.addEntries(
                        Values.NamePartitions.Entry.newBuilder().setKey(key).addAllNumbers(numbers)));
        return message.build();
    }

    public static Partitions<String> decodeNames(Values.NamePartitions message) {
        SortedMap<String, SortedSet<Integer>> byName = new TreeMap<>();
        message.getEntriesList()
                .forEach(entry -> byName.computeIfAbsent(entry.getKey(), key -> new TreeSet<>())
                        .addAll(entry.getNumbersList()));
        return new Partitions<>(byName);
    }

    public static Values.TaskAssignment encode(TaskAssignment tasks) {
        return Values.TaskAssignment.newBuilder()
                .setActive(encodeNames(tasks.active()))
                .setStandby(encodeNames(tasks.standby()))
                .setWarmup(encodeNames(tasks.warmup()))
                .build();
    }

    public static TaskAssignment decode(Values.TaskAssignment message) {
        return new TaskAssignment(
                decodeNames(message.getActive()), decodeNames(message.getStandby()), decodeNames(message.getWarmup()));
    }

    public static Values.Endpoint encode(Endpoint endpoint) {
        return Values.Endpoint.newBuilder()
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .build();
    }

    public static Endpoint decode(Values.Endpoint message) {
        return new Endpoint(message.getHost(), message.getPort());
    }

    public static Values.ClientInfo encode(ClientInfo client) {
        return Values.ClientInfo.newBuilder()
                .setClientId(client.clientId())
                .setClientHost(client.clientHost())
                .build();
    }

    public static ClientInfo decode(Values.ClientInfo message) {
        return new ClientInfo(message.getClientId(), message.getClientHost());
    }

    public static List<Values.TaskOffset> encodeOffsets(List<TaskOffset> offsets) {
        return offsets.stream()
                .map(offset -> Values.TaskOffset.newBuilder()
                        .setSubtopologyId(offset.subtopologyId())
                        .setPartition(offset.partition())
                        .setOffset(offset.offset())
                        .build())
                .toList();
    }

    public static List<TaskOffset> decodeOffsets(List<Values.TaskOffset> messages) {
        return messages.stream()
                .map(message -> new TaskOffset(message.getSubtopologyId(), message.getPartition(), message.getOffset()))
                .toList();
    }

    public static List<Values.StringEntry> encodeEntries(SortedMap<String, String> entries) {
        return entries.entrySet().stream()
                .map(entry -> Values.StringEntry.newBuilder()
                        .setKey(entry.getKey())
                        .setValue(entry.getValue())
                        .build())
                .toList();
    }

    public static SortedMap<String, String> decodeEntries(List<Values.StringEntry> messages) {
        SortedMap<String, String> entries = new TreeMap<>();
        messages.forEach(message -> entries.put(message.getKey(), message.getValue()));
        return entries;
    }

    public static Values.ClaimIdentity encode(ClaimIdentity identity) {
        return Values.ClaimIdentity.newBuilder()
                .setMemberId(identity.memberId())
                .setGeneration(identity.generation())
                .build();
    }

    public static ClaimIdentity decode(Values.ClaimIdentity message) {
        return new ClaimIdentity(message.getMemberId(), message.getGeneration());
    }

    public static Values.ShardTime encode(ShardTime time) {
        return Values.ShardTime.newBuilder()
                .setShard(time.shard())
                .setTerm(time.term())
                .setNumber(time.number())
                .build();
    }

    public static ShardTime decode(Values.ShardTime message) {
        return new ShardTime(message.getShard(), message.getTerm(), message.getNumber());
    }

    /** The message of a topic. */
    public static Values.TopicInfo encode(TopicInfo topic) {
        return Values.TopicInfo.newBuilder()
                .setName(topic.name())
                .setIdHigh(topic.id().getMostSignificantBits())
                .setIdLow(topic.id().getLeastSignificantBits())
                .setPartitions(topic.partitions())
                .addAllRackSets(topic.racks().sets().stream()
                        .map(racks ->
                                Values.Strings.newBuilder().addAllValues(racks).build())
                        .toList())
                .addAllRackSetOfPartition(topic.racks().setOf())
                .build();
    }

    /** The topic of a message. */
    public static TopicInfo decode(Values.TopicInfo message) {
        return new TopicInfo(
                message.getName(),
                new UUID(message.getIdHigh(), message.getIdLow()),
                message.getPartitions(),
                PartitionRacks.of(
                        message.getRackSetsList().stream()
                                .map(Values.Strings::getValuesList)
                                .toList(),
                        message.getRackSetOfPartitionList()));
    }

    /** The message of a line of history. */
    public static Values.HistoryEntry encode(HistoryEntry entry) {
        return Values.HistoryEntry.newBuilder()
                .setSequence(entry.sequence())
                .setAtMillis(entry.atMillis())
                .setGroupEpoch(entry.groupEpoch())
                .setReason(entry.reason().name())
                .setMemberId(entry.memberId())
                .setDetail(entry.detail())
                .build();
    }

    /** The line of history of a message; {@link UnknownRecordException} if this version does not know its reason. */
    public static HistoryEntry decode(Values.HistoryEntry message) {
        return new HistoryEntry(
                message.getSequence(),
                message.getAtMillis(),
                message.getGroupEpoch(),
                reason(message.getReason()),
                message.getMemberId(),
                message.getDetail());
    }

    private static HistoryEntry.Reason reason(String name) {
        for (HistoryEntry.Reason reason : HistoryEntry.Reason.values()) {
            if (reason.name().equals(name)) {
                return reason;
            }
        }
        throw new UnknownRecordException("a reason that is not known here: " + name);
    }

    /** The message of what a cluster was founded with. */
    public static Values.ClusterIdentity encode(ClusterIdentity identity) {
        return Values.ClusterIdentity.newBuilder()
                .setClusterName(identity.clusterName())
                .setIncarnation(identity.incarnation())
                .setShards(identity.shards())
                .addAllNodeIds(identity.nodeIds())
                .build();
    }

    /** What a cluster was founded with, of a message. */
    public static ClusterIdentity decode(Values.ClusterIdentity message) {
        return new ClusterIdentity(
                message.getClusterName(), message.getIncarnation(), message.getShards(), message.getNodeIdsList());
    }

    public static ByteString encode(Bytes bytes) {
        return ByteString.copyFrom(bytes.toArray());
    }

    public static Bytes decode(ByteString bytes) {
        return Bytes.copyOf(bytes.toByteArray());
    }
}
