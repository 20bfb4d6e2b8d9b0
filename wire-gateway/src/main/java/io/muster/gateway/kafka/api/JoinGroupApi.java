package io.muster.gateway.kafka.api;

import io.muster.core.GroupCommand;
import io.muster.core.GroupInspection;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** JoinGroup (classic protocol): refused in a group that Muster owns, as Kafka refuses it in a group of another type. */
public final class JoinGroupApi implements Api {
    private static final short FIRST_WITH_NULL_PROTOCOL = 7;

    private final Coordinator coordinator;

    public JoinGroupApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.JOIN_GROUP;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        JoinGroupRequestData asked = request.body(JoinGroupRequestData.class);
        if (coordinator.owns(asked.groupId())) {
            return Route.Answer.of(refusal(session, asked.groupId(), request.version()));
        }
        if (coordinator.ownershipKnown()) {
            return Route.Pass.UNREAD;
        }
        CompletableFuture<ApiMessage> answer = Answers.bounded(
                        coordinator.submit(new GroupCommand.Inspect(asked.groupId())))
                .thenCompose(response -> response instanceof GroupInspection
                        ? refusal(session, asked.groupId(), request.version())
                        : session.upstream().call(key(), request.version(), asked));
        return Route.Answer.of(answer);
    }

    private static CompletableFuture<ApiMessage> refusal(ClientSession session, String groupId, short version) {
        return Answers.forReader(
                session, groupId, Errors.INCONSISTENT_GROUP_PROTOCOL, error -> refusal(error, version));
    }

    private static ApiMessage refusal(Errors error, short version) {
        return new JoinGroupResponseData()
                .setErrorCode(error.code())
                .setProtocolName(version < FIRST_WITH_NULL_PROTOCOL ? "" : null)
                .setMemberId("");
    }
}
