package io.muster.rpc;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.muster.core.GroupError;
import io.muster.core.Response;
import org.jspecify.annotations.Nullable;

/** Turns refusals and failures into gRPC's statuses, with a sentence for people. */
final class AdminErrors {
    private AdminErrors() {}

    /** The response if it is none of refusal; throws the refusal's status. */
    static Response requireDone(Response response) {
        if (response instanceof Response.Refused refused) {
            throw statusOf(refused.error(), refused.message()).asRuntimeException();
        }
        if (response instanceof Response.MembersRemoved removed) {
            removed.results().forEach(result -> {
                GroupError error = result.error();
                if (error != null) {
                    throw statusOf(error, "The group has no such member.").asRuntimeException();
                }
            });
        }
        return response;
    }

    static Status statusOf(@Nullable Throwable failure) {
        if (failure instanceof StatusRuntimeException known) {
            return known.getStatus();
        }
        if (failure instanceof StatusException known) {
            return known.getStatus();
        }
        return Status.INTERNAL.withDescription(String.valueOf(failure)).withCause(failure);
    }

    private static Status statusOf(GroupError error, String message) {
        Status status = switch (error) {
            case GROUP_ID_NOT_FOUND, UNKNOWN_MEMBER_ID -> Status.NOT_FOUND;
            case NOT_COORDINATOR, COORDINATOR_NOT_AVAILABLE, COORDINATOR_LOAD_IN_PROGRESS -> Status.UNAVAILABLE;
            case INVALID_REQUEST, INVALID_GROUP_ID, INVALID_CONFIG -> Status.INVALID_ARGUMENT;
            case FENCED_MEMBER_EPOCH,
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
                    CONNECTION_SUPERSEDED -> Status.FAILED_PRECONDITION;
        };
        return status.withDescription(message.isEmpty() ? error.name() : message);
    }
}
