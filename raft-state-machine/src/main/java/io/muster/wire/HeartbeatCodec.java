package io.muster.wire;

import io.muster.codec.TopologyCodec;
import io.muster.codec.ValueCodec;
import io.muster.codec.proto.Values;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.StreamsHeartbeat.OwnedTasks;
import io.muster.rpc.proto.Wire;

/** Translates heartbeats; a field that a client left out stays left out. */
final class HeartbeatCodec {
    private HeartbeatCodec() {}

    static Wire.ConsumerHeartbeat encode(ConsumerHeartbeat heartbeat) {
        Wire.ConsumerHeartbeat.Builder message = Wire.ConsumerHeartbeat.newBuilder()
                .setMemberId(heartbeat.memberId())
                .setMemberEpoch(heartbeat.memberEpoch())
                .setRebalanceTimeoutMillis(heartbeat.rebalanceTimeoutMillis())
                .setClient(ValueCodec.encode(heartbeat.client()))
                .setApiVersion(heartbeat.apiVersion());
        if (heartbeat.instanceId() != null) {
            message.setInstanceId(heartbeat.instanceId());
        }
        if (heartbeat.rackId() != null) {
            message.setRackId(heartbeat.rackId());
        }
        if (heartbeat.subscribedTopicNames() != null) {
            message.setSubscribedTopicNames(Values.Strings.newBuilder().addAllValues(heartbeat.subscribedTopicNames()));
        }
        if (heartbeat.subscribedTopicRegex() != null) {
            message.setSubscribedTopicRegex(heartbeat.subscribedTopicRegex());
        }
        if (heartbeat.serverAssignor() != null) {
            message.setServerAssignor(heartbeat.serverAssignor());
        }
        if (heartbeat.ownedPartitions() != null) {
            message.setOwnedPartitions(ValueCodec.encodeIds(heartbeat.ownedPartitions()));
        }
        return message.build();
    }

    static ConsumerHeartbeat decode(String groupId, Wire.ConsumerHeartbeat message) {
        return new ConsumerHeartbeat(
                new Sender(
                        groupId,
                        message.getMemberId(),
                        message.getMemberEpoch(),
                        message.hasInstanceId() ? message.getInstanceId() : null,
                        message.hasRackId() ? message.getRackId() : null,
                        message.getRebalanceTimeoutMillis(),
                        ValueCodec.decode(message.getClient()),
                        message.getApiVersion()),
                message.hasSubscribedTopicNames()
                        ? message.getSubscribedTopicNames().getValuesList()
                        : null,
                message.hasSubscribedTopicRegex() ? message.getSubscribedTopicRegex() : null,
                message.hasServerAssignor() ? message.getServerAssignor() : null,
                message.hasOwnedPartitions() ? ValueCodec.decodeIds(message.getOwnedPartitions()) : null);
    }

    static Wire.StreamsHeartbeat encode(StreamsHeartbeat heartbeat) {
        Wire.StreamsHeartbeat.Builder message = Wire.StreamsHeartbeat.newBuilder()
                .setMemberId(heartbeat.memberId())
                .setMemberEpoch(heartbeat.memberEpoch())
                .setEndpointInformationEpoch(heartbeat.endpointInformationEpoch())
                .setRebalanceTimeoutMillis(heartbeat.rebalanceTimeoutMillis())
                .setShutdownApplication(heartbeat.shutdownApplication())
                .setClient(ValueCodec.encode(heartbeat.client()))
                .setApiVersion(heartbeat.apiVersion());
        encodeIdentity(heartbeat, message);
        encodeTasks(heartbeat.tasks(), message);
        if (heartbeat.topology() != null) {
            message.setTopology(TopologyCodec.encode(heartbeat.topology()));
        }
        if (heartbeat.offsets().offsets() != null) {
            message.setTaskOffsets(Values.TaskOffsets.newBuilder()
                    .addAllValues(ValueCodec.encodeOffsets(heartbeat.offsets().offsets())));
        }
        if (heartbeat.offsets().endOffsets() != null) {
            message.setTaskEndOffsets(Values.TaskOffsets.newBuilder()
                    .addAllValues(ValueCodec.encodeOffsets(heartbeat.offsets().endOffsets())));
        }
        return message.build();
    }

    private static void encodeIdentity(StreamsHeartbeat heartbeat, Wire.StreamsHeartbeat.Builder message) {
        if (heartbeat.instanceId() != null) {
            message.setInstanceId(heartbeat.instanceId());
        }
        if (heartbeat.rackId() != null) {
            message.setRackId(heartbeat.rackId());
        }
        if (heartbeat.process().processId() != null) {
            message.setProcessId(heartbeat.process().processId());
        }
        if (heartbeat.process().userEndpoint() != null) {
            message.setUserEndpoint(ValueCodec.encode(heartbeat.process().userEndpoint()));
        }
        if (heartbeat.process().clientTags() != null) {
            message.setClientTags(Values.StringEntries.newBuilder()
                    .addAllEntries(ValueCodec.encodeEntries(heartbeat.process().clientTags())));
        }
    }

    private static void encodeTasks(OwnedTasks tasks, Wire.StreamsHeartbeat.Builder message) {
        if (tasks.active() != null) {
            message.setActiveTasks(ValueCodec.encodeNames(tasks.active()));
        }
        if (tasks.standby() != null) {
            message.setStandbyTasks(ValueCodec.encodeNames(tasks.standby()));
        }
        if (tasks.warmup() != null) {
            message.setWarmupTasks(ValueCodec.encodeNames(tasks.warmup()));
        }
    }

    static StreamsHeartbeat decode(String groupId, Wire.StreamsHeartbeat message) {
        return new StreamsHeartbeat(
                new Sender(
                        groupId,
                        message.getMemberId(),
                        message.getMemberEpoch(),
                        message.hasInstanceId() ? message.getInstanceId() : null,
                        message.hasRackId() ? message.getRackId() : null,
                        message.getRebalanceTimeoutMillis(),
                        ValueCodec.decode(message.getClient()),
                        message.getApiVersion()),
                message.getEndpointInformationEpoch(),
                message.hasTopology() ? TopologyCodec.decode(message.getTopology()) : null,
                decodeTasks(message),
                new StreamsHeartbeat.ProcessDetails(
                        message.hasProcessId() ? message.getProcessId() : null,
                        message.hasUserEndpoint() ? ValueCodec.decode(message.getUserEndpoint()) : null,
                        message.hasClientTags()
                                ? ValueCodec.decodeEntries(
                                        message.getClientTags().getEntriesList())
                                : null),
                new StreamsHeartbeat.OffsetReport(
                        message.hasTaskOffsets()
                                ? ValueCodec.decodeOffsets(
                                        message.getTaskOffsets().getValuesList())
                                : null,
                        message.hasTaskEndOffsets()
                                ? ValueCodec.decodeOffsets(
                                        message.getTaskEndOffsets().getValuesList())
                                : null),
                message.getShutdownApplication());
    }

    private static OwnedTasks decodeTasks(Wire.StreamsHeartbeat message) {
        return new OwnedTasks(
                message.hasActiveTasks() ? ValueCodec.decodeNames(message.getActiveTasks()) : null,
                message.hasStandbyTasks() ? ValueCodec.decodeNames(message.getStandbyTasks()) : null,
                message.hasWarmupTasks() ? ValueCodec.decodeNames(message.getWarmupTasks()) : null);
    }
}
