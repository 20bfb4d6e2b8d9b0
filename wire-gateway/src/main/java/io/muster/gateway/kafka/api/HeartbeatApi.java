package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Heartbeat (classic protocol): nobody is a member of that protocol in a group that Muster owns, so it is answered as in Kafka. */
final class HeartbeatApi implements Api {
    private final Coordinator coordinator;

    HeartbeatApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.HEARTBEAT;
    }

    private static ApiMessage refusal(Errors error) {
        return new HeartbeatResponseData().setErrorCode(error.code());
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        String groupId = request.body(HeartbeatRequestData.class).groupId();
        return Concern.of(Concern.Kind.CLASSIC, groupId, !coordinator.owns(groupId));
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        String groupId = request.body(HeartbeatRequestData.class).groupId();
        return coordinator.owns(groupId)
                ? Route.Answer.of(Answers.forReader(session, groupId, Errors.UNKNOWN_MEMBER_ID, HeartbeatApi::refusal))
                : Route.Pass.UNREAD;
    }
}
