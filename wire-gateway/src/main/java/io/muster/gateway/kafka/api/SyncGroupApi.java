package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
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
        return coordinator.owns(request.body(SyncGroupRequestData.class).groupId())
                ? Route.Answer.of(new SyncGroupResponseData().setErrorCode(Errors.UNKNOWN_MEMBER_ID.code()))
                : Route.Pass.UNREAD;
    }
}
