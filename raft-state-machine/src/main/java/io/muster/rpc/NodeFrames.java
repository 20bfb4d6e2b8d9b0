package io.muster.rpc;

import io.muster.rpc.ConnectedGateway.ClaimTask;
import io.muster.rpc.ConnectedGateway.LeasedWatch;
import io.muster.rpc.ConnectedGateway.OwnedChange;
import io.muster.rpc.ConnectedGateway.TopicLook;
import io.muster.rpc.proto.Wire;
import io.muster.wire.ClaimCodec;
import java.util.Set;
import java.util.TreeSet;

/** Translates what a node tells a gateway. */
public final class NodeFrames {
    private NodeFrames() {}

    static Wire.Leadership encode(ShardLeadership leadership) {
        return Wire.Leadership.newBuilder()
                .setShard(leadership.shard())
                .setTerm(leadership.term())
                .setLeaderId(leadership.leaderId())
                .setHere(leadership.here())
                .setRecordedAt(leadership.recordedAt())
                .build();
    }

    /** Who leads a shard. */
    public static ShardLeadership decode(Wire.Leadership message) {
        return new ShardLeadership(
                message.getShard(),
                message.getTerm(),
                message.getLeaderId(),
                message.getHere(),
                message.getRecordedAt());
    }

    static Wire.OwnedGroups encode(OwnedChange change) {
        return Wire.OwnedGroups.newBuilder()
                .setShard(change.shard())
                .setTerm(change.term())
                .setSnapshot(change.snapshot())
                .setFirst(change.first())
                .setLast(change.last())
                .addAllAdded(change.added())
                .addAllRemoved(change.removed())
                .build();
    }

    /** A change of what a shard owns. */
    public static OwnedChange decode(Wire.OwnedGroups message) {
        return new OwnedChange(
                message.getShard(),
                message.getTerm(),
                message.getSnapshot(),
                message.getFirst(),
                message.getLast(),
                message.getAddedList(),
                message.getRemovedList());
    }

    static Wire.ClaimRequest encode(ClaimTask task) {
        return Wire.ClaimRequest.newBuilder()
                .setOperationId(task.operationId())
                .setGroupId(task.groupId())
                .setPatienceMillis(task.patienceMillis())
                .setOperation(ClaimCodec.encode(task.operation()))
                .setMarks(ClaimCodec.encode(task.marks()))
                .build();
    }

    /** A claim operation to be executed. */
    public static ClaimTask decode(Wire.ClaimRequest message) {
        return new ClaimTask(
                message.getOperationId(),
                message.getGroupId(),
                message.getPatienceMillis(),
                ClaimCodec.decode(message.getOperation()),
                ClaimCodec.decode(message.getMarks()));
    }

    static Wire.TopicLease encode(LeasedWatch watch) {
        return Wire.TopicLease.newBuilder()
                .setShard(watch.shard())
                .setLease(watch.lease())
                .setVersion(watch.version())
                .addAllNames(new TreeSet<>(watch.names()))
                .setEnded(watch.ended())
                .build();
    }

    /** The topics that a gateway watches for a shard. */
    public static LeasedWatch decode(Wire.TopicLease message) {
        return new LeasedWatch(
                message.getShard(),
                message.getLease(),
                message.getVersion(),
                Set.copyOf(message.getNamesList()),
                message.getEnded());
    }

    static Wire.TopicLook encode(TopicLook look) {
        return Wire.TopicLook.newBuilder()
                .setShard(look.shard())
                .setLease(look.lease())
                .addAllNames(new TreeSet<>(look.names()))
                .addAllDeleted(new TreeSet<>(look.deleted()))
                .build();
    }

    /** Topics to be looked at. */
    public static TopicLook decode(Wire.TopicLook message) {
        return new TopicLook(
                message.getShard(),
                message.getLease(),
                Set.copyOf(message.getNamesList()),
                Set.copyOf(message.getDeletedList()));
    }
}
