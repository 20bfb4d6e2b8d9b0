package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.order.Concern;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** TxnOffsetCommit, which may name no member. */
final class TxnOffsetCommitApi extends CommitApi<TxnOffsetCommitRequestData> {
    TxnOffsetCommitApi(Coordinator coordinator) {
        super(
                coordinator,
                ApiKeys.TXN_OFFSET_COMMIT,
                Concern.Kind.TRANSACTIONAL_COMMIT,
                TxnOffsetCommitRequestData.class);
    }

    @Override
    String groupId(TxnOffsetCommitRequestData commit) {
        return commit.groupId();
    }

    @Override
    boolean namesMember(TxnOffsetCommitRequestData commit) {
        return !commit.memberId().isEmpty();
    }

    @Override
    CompletableFuture<ApiMessage> commit(
            ClientSession session, TxnOffsetCommitRequestData commit, KafkaRequest request, boolean judged) {
        return session.offsets().commit(commit, request.version(), request.deadlineNanos(), judged);
    }

    @Override
    ApiMessage uncertain(ApiMessage answer) {
        ((TxnOffsetCommitResponseData) answer)
                .topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> partition.setErrorCode(uncertain(partition.errorCode()))));
        return answer;
    }
}
