package io.muster.gateway.kafka.api;

import io.muster.core.GroupCommand;
import io.muster.core.GroupDescription;
import io.muster.core.GroupType;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** SyncGroup (classic protocol): nobody is a member of that protocol in a group that Muster owns, so it is answered as in Kafka. */
public final class SyncGroupApi implements Api {
    private final Coordinator coordinator;

    public SyncGroupApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.SYNC_GROUP;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        String groupId = request.body(SyncGroupRequestData.class).groupId();
        return coordinator.owns(groupId)
                ? Route.Answer.of(Answers.forReader(
                        session,
                        groupId,
                        () -> Answers.bounded(coordinator.submit(new GroupCommand.Describe(groupId, GroupType.STREAMS)))
                                .thenApply(SyncGroupApi::refusal),
                        SyncGroupApi::refusal))
                : Route.Pass.UNREAD;
    }

    /** A consumer group may have members of the classic protocol, a Streams group may not. */
    private static ApiMessage refusal(Response response) {
        return refusal(
                response instanceof GroupDescription.Streams
                        ? Errors.INCONSISTENT_GROUP_PROTOCOL
                        : Errors.UNKNOWN_MEMBER_ID);
    }

    private static ApiMessage refusal(Errors error) {
        return new SyncGroupResponseData().setErrorCode(error.code());
    }
}
