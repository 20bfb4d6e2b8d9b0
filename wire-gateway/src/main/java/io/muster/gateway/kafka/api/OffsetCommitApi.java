package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** OffsetCommit for a group that Muster owns: admitted in Raft, then stored upstream under the claim. */
public final class OffsetCommitApi implements Api {
    private final Coordinator coordinator;

    public OffsetCommitApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_COMMIT;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        OffsetCommitRequestData asked = request.body(OffsetCommitRequestData.class);
        boolean passable = request.version() <= session.upstream().maxVersion(key());
        return passable && !coordinator.owns(asked.groupId())
                ? Route.Pass.UNREAD
                : Route.Answer.of(answer(session.offsets(), asked, request.version()));
    }

    /** The answer for the client, or exceptionally if its upstream connection broke. */
    public CompletableFuture<ApiMessage> answer(
            OffsetRequests connection, OffsetCommitRequestData request, short version) {
        return connection.commit(request, version);
    }
}
