package io.muster.wire;

import io.muster.core.GroupError;
import io.muster.core.GroupState;
import io.muster.core.GroupType;
import io.muster.rpc.proto.Wire;

/** Translates what travels by name. */
final class NameCodec {
    private NameCodec() {}

    /** The message of a group type. */
    static Wire.GroupType encode(GroupType type) {
        return switch (type) {
            case CONSUMER -> Wire.GroupType.GROUP_TYPE_CONSUMER;
            case STREAMS -> Wire.GroupType.GROUP_TYPE_STREAMS;
        };
    }

    /** The group type of a message; {@link InvalidFrameException} if there is none. */
    static GroupType decode(Wire.GroupType message) {
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
}
