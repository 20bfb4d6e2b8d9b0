package io.muster.core;

/** Why a command was refused. Named after Kafka's errors; the gateway's {@code ErrorMapper} knows their codes. */
public enum GroupError {
    INVALID_REQUEST,
    INVALID_GROUP_ID,
    INVALID_CONFIG,
    GROUP_ID_NOT_FOUND,
    UNKNOWN_MEMBER_ID,
    FENCED_MEMBER_EPOCH,
    STALE_MEMBER_EPOCH,
    ILLEGAL_GENERATION,
    UNRELEASED_INSTANCE_ID,
    FENCED_INSTANCE_ID,
    UNSUPPORTED_ASSIGNOR,
    UNSUPPORTED_VERSION,
    GROUP_MAX_SIZE_REACHED,
    INVALID_REGULAR_EXPRESSION,
    INCONSISTENT_GROUP_PROTOCOL,
    STREAMS_INVALID_TOPOLOGY,
    STREAMS_INVALID_TOPOLOGY_EPOCH,
    STREAMS_TOPOLOGY_FENCED,
    STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED,
    NON_EMPTY_GROUP,
    GROUP_SUBSCRIBED_TO_TOPIC,
    /** The member has moved on to a connection that was opened later: what comes by this one is too late. */
    CONNECTION_SUPERSEDED,
    /** This node does not lead the group's shard, or the outcome of the command is unknown. */
    NOT_COORDINATOR,
    /** The shard has no leader, or the group's claim cannot be taken now; trying again is right. */
    COORDINATOR_NOT_AVAILABLE,
    COORDINATOR_LOAD_IN_PROGRESS
}
