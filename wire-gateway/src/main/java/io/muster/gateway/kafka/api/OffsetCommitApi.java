package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.order.Concern;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** OffsetCommit. */
final class OffsetCommitApi extends CommitApi<OffsetCommitRequestData> {
    OffsetCommitApi(Coordinator coordinator) {
        super(coordinator, ApiKeys.OFFSET_COMMIT, Concern.Kind.COMMIT, OffsetCommitRequestData.class);
    }

    @Override
    String groupId(OffsetCommitRequestData commit) {
        return commit.groupId();
    }

    @Override
    boolean namesMember(OffsetCommitRequestData commit) {
        return true;
    }

    @Override
    CompletableFuture<ApiMessage> commit(
            ClientSession session, OffsetCommitRequestData commit, KafkaRequest request, boolean judged) {
        return session.offsets().commit(commit, request.version(), request.deadlineNanos(), judged);
    }

    @Override
    ApiMessage uncertain(ApiMessage answer) {
        ((OffsetCommitResponseData) answer)
                .topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> partition.setErrorCode(uncertain(partition.errorCode()))));
        return answer;
    }
}
