package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** SyncGroup (classic protocol): nobody is a member of that protocol in a group that Muster owns, so it is answered as in Kafka. */
final class SyncGroupApi implements Api {
    private static final short FIRST_WITH_PROTOCOL = 5;

    private final Coordinator coordinator;

    SyncGroupApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.SYNC_GROUP;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        String groupId = request.body(SyncGroupRequestData.class).groupId();
        return Concern.of(Concern.Kind.CLASSIC, groupId, !coordinator.owns(groupId));
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        SyncGroupRequestData asked = request.body(SyncGroupRequestData.class);
        if (!coordinator.owns(asked.groupId())) {
            return Route.Pass.UNREAD;
        }
        boolean saysProtocol = asked.protocolType() != null && asked.protocolName() != null;
        Errors error = saysProtocol || request.version() < FIRST_WITH_PROTOCOL
                ? Errors.UNKNOWN_MEMBER_ID
                : Errors.INCONSISTENT_GROUP_PROTOCOL;
        return Route.Answer.of(Answers.forReader(session, asked.groupId(), error, SyncGroupApi::refusal));
    }

    private static ApiMessage refusal(Errors error) {
        return new SyncGroupResponseData().setErrorCode(error.code());
    }
}
