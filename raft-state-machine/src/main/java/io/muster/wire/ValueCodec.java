package io.muster.wire;

import com.google.protobuf.ByteString;
import io.muster.core.Bytes;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClientInfo;
import io.muster.core.Endpoint;
import io.muster.core.GroupError;
import io.muster.core.GroupState;
import io.muster.core.GroupType;
import io.muster.core.PartitionRacks;
import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.TaskOffset;
import io.muster.core.TopicInfo;
import io.muster.rpc.proto.Wire;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Translates the small values that commands, responses and watches share. */
public final class ValueCodec {
    private ValueCodec() {}

    static Wire.IdPartitions encodeIds(Partitions<UUID> partitions) {
        Wire.IdPartitions.Builder message = Wire.IdPartitions.newBuilder();
        partitions
                .byKey()
                .forEach((id, numbers) -> message.addEntries(Wire.IdPartitions.Entry.newBuilder()
                        .setIdHigh(id.getMostSignificantBits())
                        .setIdLow(id.getLeastSignificantBits())
                        .addAllNumbers(numbers)));
        return message.build();
    }

    static Partitions<UUID> decodeIds(Wire.IdPartitions message) {
        SortedMap<UUID, SortedSet<Integer>> byId = new TreeMap<>();
        message.getEntriesList()
                .forEach(entry -> byId.computeIfAbsent(
                                new UUID(entry.getIdHigh(), entry.getIdLow()), id -> new TreeSet<>())
                        .addAll(entry.getNumbersList()));
        return new Partitions<>(byId);
    }

    static Wire.NamePartitions encodeNames(Partitions<String> partitions) {
        Wire.NamePartitions.Builder message = Wire.NamePartitions.newBuilder();
        partitions
                .byKey()
                .forEach((key, numbers) -> message.addEntries(
                        Wire.NamePartitions.Entry.newBuilder().setKey(key).addAllNumbers(numbers)));
        return message.build();
    }

    static Partitions<String> decodeNames(Wire.NamePartitions message) {
        SortedMap<String, SortedSet<Integer>> byName = new TreeMap<>();
        message.getEntriesList()
                .forEach(entry -> byName.computeIfAbsent(entry.getKey(), key -> new TreeSet<>())
                        .addAll(entry.getNumbersList()));
        return new Partitions<>(byName);
    }

    static Wire.TaskAssignment encode(TaskAssignment tasks) {
        return Wire.TaskAssignment.newBuilder()
                .setActive(encodeNames(tasks.active()))
                .setStandby(encodeNames(tasks.standby()))
                .setWarmup(encodeNames(tasks.warmup()))
                .build();
    }

    static TaskAssignment decode(Wire.TaskAssignment message) {
        return new TaskAssignment(
                decodeNames(message.getActive()), decodeNames(message.getStandby()), decodeNames(message.getWarmup()));
    }

    static Wire.Endpoint encode(Endpoint endpoint) {
        return Wire.Endpoint.newBuilder()
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .build();
    }

    static Endpoint decode(Wire.Endpoint message) {
        return new Endpoint(message.getHost(), message.getPort());
    }

    static Wire.ClientInfo encode(ClientInfo client) {
        return Wire.ClientInfo.newBuilder()
                .setClientId(client.clientId())
                .setClientHost(client.clientHost())
                .build();
    }

    static ClientInfo decode(Wire.ClientInfo message) {
        return new ClientInfo(message.getClientId(), message.getClientHost());
    }

    static List<Wire.TaskOffset> encodeOffsets(List<TaskOffset> offsets) {
        return offsets.stream()
                .map(offset -> Wire.TaskOffset.newBuilder()
                        .setSubtopologyId(offset.subtopologyId())
                        .setPartition(offset.partition())
                        .setOffset(offset.offset())
                        .build())
                .toList();
    }

    static List<TaskOffset> decodeOffsets(List<Wire.TaskOffset> messages) {
        return messages.stream()
                .map(message -> new TaskOffset(message.getSubtopologyId(), message.getPartition(), message.getOffset()))
                .toList();
    }

    static List<Wire.StringEntry> encodeEntries(SortedMap<String, String> entries) {
        return entries.entrySet().stream()
                .map(entry -> Wire.StringEntry.newBuilder()
                        .setKey(entry.getKey())
                        .setValue(entry.getValue())
                        .build())
                .toList();
    }

    static SortedMap<String, String> decodeEntries(List<Wire.StringEntry> messages) {
        SortedMap<String, String> entries = new TreeMap<>();
        messages.forEach(message -> entries.put(message.getKey(), message.getValue()));
        return entries;
    }

    static Wire.ClaimIdentity encode(ClaimIdentity identity) {
        return Wire.ClaimIdentity.newBuilder()
                .setMemberId(identity.memberId())
                .setGeneration(identity.generation())
                .build();
    }

    static ClaimIdentity decode(Wire.ClaimIdentity message) {
        return new ClaimIdentity(message.getMemberId(), message.getGeneration());
    }

    /** The message of a topic. */
    public static Wire.TopicInfo encode(TopicInfo topic) {
        return Wire.TopicInfo.newBuilder()
                .setName(topic.name())
                .setIdHigh(topic.id().getMostSignificantBits())
                .setIdLow(topic.id().getLeastSignificantBits())
                .setPartitions(topic.partitions())
                .addAllRackSets(topic.racks().sets().stream()
                        .map(racks ->
                                Wire.Strings.newBuilder().addAllValues(racks).build())
                        .toList())
                .addAllRackSetOfPartition(topic.racks().setOf())
                .build();
    }

    /** The topic of a message. */
    public static TopicInfo decode(Wire.TopicInfo message) {
        return new TopicInfo(
                message.getName(),
                new UUID(message.getIdHigh(), message.getIdLow()),
                message.getPartitions(),
                PartitionRacks.of(
                        message.getRackSetsList().stream()
                                .map(Wire.Strings::getValuesList)
                                .toList(),
                        message.getRackSetOfPartitionList()));
    }

    /** The message of a group type. */
    public static Wire.GroupType encode(GroupType type) {
        return switch (type) {
            case CONSUMER -> Wire.GroupType.GROUP_TYPE_CONSUMER;
            case STREAMS -> Wire.GroupType.GROUP_TYPE_STREAMS;
        };
    }

    /** The group type of a message; {@link InvalidFrameException} if there is none. */
    public static GroupType decode(Wire.GroupType message) {
        return switch (message) {
            case GROUP_TYPE_CONSUMER -> GroupType.CONSUMER;
            case GROUP_TYPE_STREAMS -> GroupType.STREAMS;
            case GROUP_TYPE_UNSPECIFIED, UNRECOGNIZED -> throw new InvalidFrameException("unknown group type");
        };
    }

    /** Errors travel by name; one that a newer node knows and we do not is COORDINATOR_NOT_AVAILABLE, which is tried again. */
    static GroupError decodeError(String name) {
        for (GroupError error : GroupError.values()) {
            if (error.name().equals(name)) {
                return error;
            }
        }
        return GroupError.COORDINATOR_NOT_AVAILABLE;
    }

    static GroupState decodeState(String name) {
        for (GroupState state : GroupState.values()) {
            if (state.name().equals(name)) {
                return state;
            }
        }
        throw new InvalidFrameException("unknown group state " + name);
    }

    static ByteString encode(Bytes bytes) {
        return ByteString.copyFrom(bytes.toArray());
    }

    static Bytes decode(ByteString bytes) {
        return Bytes.copyOf(bytes.toByteArray());
    }
}
