package io.muster.wire;

import io.muster.codec.ValueCodec;
import io.muster.core.ClaimMarks;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.rpc.proto.Wire;

/** Translates what a node asks of the upstream claim, and what came of it. */
public final class ClaimCodec {
    private static final Wire.Nothing NOTHING = Wire.Nothing.getDefaultInstance();

    private ClaimCodec() {}

    /** The message of an operation. */
    public static Wire.ClaimOperation encode(ClaimOperation operation) {
        Wire.ClaimOperation.Builder message = Wire.ClaimOperation.newBuilder();
        if (operation instanceof ClaimOperation.Join join) {
            message.setJoin(Wire.ClaimOperation.Join.newBuilder().setSessionTimeoutMillis(join.sessionTimeoutMillis()));
        } else if (operation instanceof ClaimOperation.Fence fence) {
            message.setFence(Wire.ClaimOperation.Fence.newBuilder()
                    .setReplaced(ValueCodec.encode(fence.replaced()))
                    .setSessionTimeoutMillis(fence.sessionTimeoutMillis()));
        } else if (operation instanceof ClaimOperation.Heartbeat heartbeat) {
            message.setHeartbeat(
                    Wire.ClaimOperation.Heartbeat.newBuilder().setIdentity(ValueCodec.encode(heartbeat.identity())));
        } else if (operation instanceof ClaimOperation.Leave leave) {
            message.setLeave(Wire.ClaimOperation.Leave.newBuilder().setIdentity(ValueCodec.encode(leave.identity())));
        } else if (operation instanceof ClaimOperation.Look look) {
            message.setLook(Wire.ClaimOperation.Look.newBuilder().setAskedAtMillis(look.askedAtMillis()));
        } else {
            throw new IllegalArgumentException("no message for " + operation);
        }
        return message.build();
    }

    /** The operation of a message; {@link InvalidFrameException} if it is none that this version knows. */
    public static ClaimOperation decode(Wire.ClaimOperation message) {
        return switch (message.getOperationCase()) {
            case JOIN -> new ClaimOperation.Join(message.getJoin().getSessionTimeoutMillis());
            case FENCE ->
                new ClaimOperation.Fence(
                        ValueCodec.decode(message.getFence().getReplaced()),
                        message.getFence().getSessionTimeoutMillis());
            case HEARTBEAT ->
                new ClaimOperation.Heartbeat(
                        ValueCodec.decode(message.getHeartbeat().getIdentity()));
            case LEAVE ->
                new ClaimOperation.Leave(ValueCodec.decode(message.getLeave().getIdentity()));
            case LOOK -> new ClaimOperation.Look(message.getLook().getAskedAtMillis());
            case OPERATION_NOT_SET -> throw new InvalidFrameException("unknown claim operation");
        };
    }

    /** The message of marks. */
    public static Wire.ClaimMarks encode(ClaimMarks marks) {
        return Wire.ClaimMarks.newBuilder()
                .setCurrent(marks.current())
                .addAllKnown(marks.known())
                .setTakesOver(marks.takesOver())
                .build();
    }

    /** The marks of a message. */
    public static ClaimMarks decode(Wire.ClaimMarks message) {
        return new ClaimMarks(message.getCurrent(), message.getKnownList(), message.getTakesOver());
    }

    /** The message of an outcome. */
    public static Wire.ClaimOutcome encode(ClaimOutcome outcome) {
        Wire.ClaimOutcome.Builder message = Wire.ClaimOutcome.newBuilder();
        if (outcome instanceof ClaimOutcome.Locked) {
            message.setLocked(NOTHING);
        } else if (outcome instanceof ClaimOutcome.Joined joined) {
            message.setJoined(Wire.ClaimOutcome.Joined.newBuilder()
                    .setIdentity(ValueCodec.encode(joined.identity()))
                    .setSessionTimeoutMillis(joined.sessionTimeoutMillis())
                    .setInPlace(joined.inPlace()));
        } else if (outcome instanceof ClaimOutcome.Fenced fenced) {
            message.setFenced(Wire.ClaimOutcome.Fenced.newBuilder()
                    .setIdentity(ValueCodec.encode(fenced.identity()))
                    .setInPlace(fenced.inPlace()));
        } else if (outcome instanceof ClaimOutcome.HeartbeatOk) {
            message.setHeartbeatOk(NOTHING);
        } else if (outcome instanceof ClaimOutcome.Left) {
            message.setLeft(NOTHING);
        } else if (outcome instanceof ClaimOutcome.Absent) {
            message.setAbsent(NOTHING);
        } else if (outcome instanceof ClaimOutcome.Present) {
            message.setPresent(NOTHING);
        } else if (outcome instanceof ClaimOutcome.OwnedElsewhere elsewhere) {
            message.setOwnedElsewhere(elsewhere.detail()).setOccupants(encode(elsewhere.occupants()));
        } else if (outcome instanceof ClaimOutcome.Lost lost) {
            message.setLost(
                    Wire.ClaimOutcome.Lost.newBuilder().setDetail(lost.detail()).setGone(lost.gone()));
        } else if (outcome instanceof ClaimOutcome.Unavailable unavailable) {
            message.setUnavailable(unavailable.detail());
        } else {
            throw new IllegalArgumentException("no message for " + outcome);
        }
        return message.build();
    }

    /** The outcome of a message; {@link InvalidFrameException} if it is none that this version knows. */
    public static ClaimOutcome decode(Wire.ClaimOutcome message) {
        return switch (message.getOutcomeCase()) {
            case LOCKED -> new ClaimOutcome.Locked();
            case JOINED ->
                new ClaimOutcome.Joined(
                        ValueCodec.decode(message.getJoined().getIdentity()),
                        message.getJoined().getSessionTimeoutMillis(),
                        message.getJoined().getInPlace());
            case FENCED ->
                new ClaimOutcome.Fenced(
                        ValueCodec.decode(message.getFenced().getIdentity()),
                        message.getFenced().getInPlace());
            case HEARTBEAT_OK -> new ClaimOutcome.HeartbeatOk();
            case LEFT -> new ClaimOutcome.Left();
            case ABSENT -> new ClaimOutcome.Absent();
            case PRESENT -> new ClaimOutcome.Present();
            case OWNED_ELSEWHERE ->
                new ClaimOutcome.OwnedElsewhere(decode(message.getOccupants()), message.getOwnedElsewhere());
            case LOST ->
                new ClaimOutcome.Lost(
                        message.getLost().getDetail(), message.getLost().getGone());
            case UNAVAILABLE -> new ClaimOutcome.Unavailable(message.getUnavailable());
            case OUTCOME_NOT_SET -> throw new InvalidFrameException("unknown claim outcome");
        };
    }

    private static Wire.ClaimOutcome.Occupants encode(ClaimOutcome.Occupants occupants) {
        return switch (occupants) {
            case CONSUMERS -> Wire.ClaimOutcome.Occupants.CONSUMERS;
            case OTHER_CLASSIC_MEMBERS -> Wire.ClaimOutcome.Occupants.OTHER_CLASSIC_MEMBERS;
            case OTHER_TYPE -> Wire.ClaimOutcome.Occupants.OTHER_TYPE;
        };
    }

    private static ClaimOutcome.Occupants decode(Wire.ClaimOutcome.Occupants occupants) {
        return switch (occupants) {
            case CONSUMERS, UNRECOGNIZED -> ClaimOutcome.Occupants.CONSUMERS;
            case OTHER_CLASSIC_MEMBERS -> ClaimOutcome.Occupants.OTHER_CLASSIC_MEMBERS;
            case OTHER_TYPE -> ClaimOutcome.Occupants.OTHER_TYPE;
        };
    }
}
