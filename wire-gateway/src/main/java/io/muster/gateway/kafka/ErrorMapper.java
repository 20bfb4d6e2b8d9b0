package io.muster.gateway.kafka;

import io.muster.core.GroupError;
import org.apache.kafka.common.protocol.Errors;

/** The Kafka error of each refusal. */
public final class ErrorMapper {
    private ErrorMapper() {}

    public static Errors errorOf(GroupError error) {
        return switch (error) {
            case INVALID_REQUEST -> Errors.INVALID_REQUEST;
            case INVALID_GROUP_ID -> Errors.INVALID_GROUP_ID;
            case INVALID_CONFIG -> Errors.INVALID_CONFIG;
            case GROUP_ID_NOT_FOUND -> Errors.GROUP_ID_NOT_FOUND;
            case UNKNOWN_MEMBER_ID -> Errors.UNKNOWN_MEMBER_ID;
            case FENCED_MEMBER_EPOCH -> Errors.FENCED_MEMBER_EPOCH;
            case STALE_MEMBER_EPOCH -> Errors.STALE_MEMBER_EPOCH;
            case ILLEGAL_GENERATION -> Errors.ILLEGAL_GENERATION;
            case UNRELEASED_INSTANCE_ID -> Errors.UNRELEASED_INSTANCE_ID;
            case FENCED_INSTANCE_ID -> Errors.FENCED_INSTANCE_ID;
            case UNSUPPORTED_ASSIGNOR -> Errors.UNSUPPORTED_ASSIGNOR;
            case UNSUPPORTED_VERSION -> Errors.UNSUPPORTED_VERSION;
            case GROUP_MAX_SIZE_REACHED -> Errors.GROUP_MAX_SIZE_REACHED;
            case INVALID_REGULAR_EXPRESSION -> Errors.INVALID_REGULAR_EXPRESSION;
            case INCONSISTENT_GROUP_PROTOCOL -> Errors.INCONSISTENT_GROUP_PROTOCOL;
            case STREAMS_INVALID_TOPOLOGY -> Errors.STREAMS_INVALID_TOPOLOGY;
            case STREAMS_INVALID_TOPOLOGY_EPOCH -> Errors.STREAMS_INVALID_TOPOLOGY_EPOCH;
            case STREAMS_TOPOLOGY_FENCED -> Errors.STREAMS_TOPOLOGY_FENCED;
            case STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED -> Errors.STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED;
            case NON_EMPTY_GROUP -> Errors.NON_EMPTY_GROUP;
            case GROUP_SUBSCRIBED_TO_TOPIC -> Errors.GROUP_SUBSCRIBED_TO_TOPIC;
            case CONNECTION_SUPERSEDED, NOT_COORDINATOR -> Errors.NOT_COORDINATOR;
            case COORDINATOR_NOT_AVAILABLE -> Errors.COORDINATOR_NOT_AVAILABLE;
            case COORDINATOR_LOAD_IN_PROGRESS -> Errors.COORDINATOR_LOAD_IN_PROGRESS;
        };
    }

    /** The code on the wire. */
    public static short codeOf(GroupError error) {
        return errorOf(error).code();
    }
}
