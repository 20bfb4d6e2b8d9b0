package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.offsets.OffsetRequests;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.protocol.ApiMessage;

/** OffsetCommit for a group that Muster owns: admitted in Raft, then stored upstream under the claim. */
public final class OffsetCommitApi {
    /** The answer for the client, or exceptionally if its upstream connection broke. */
    public CompletableFuture<ApiMessage> answer(
            OffsetRequests connection, OffsetCommitRequestData request, short version) {
        return connection.commit(request, version);
    }
}
