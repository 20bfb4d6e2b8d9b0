package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** TxnOffsetCommit: for a group that Muster owns, admitted in Raft and then stored upstream under the claim. */
public final class TxnOffsetCommitApi implements Api {
    private final Coordinator coordinator;
    private final CommitAdmission admission;

    public TxnOffsetCommitApi(Coordinator coordinator) {
        this.coordinator = coordinator;
        this.admission = new CommitAdmission(coordinator);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.TXN_OFFSET_COMMIT;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        String groupId = request.body(TxnOffsetCommitRequestData.class).groupId();
        return Concern.of(Concern.Kind.TRANSACTIONAL_COMMIT, groupId, !Ownership.mayBeOwned(coordinator, groupId));
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        TxnOffsetCommitRequestData commit = request.body(TxnOffsetCommitRequestData.class);
        boolean passable = request.version() <= session.upstream().maxVersion(key());
        boolean mayBeOwned = Ownership.mayBeOwned(coordinator, commit.groupId());
        if (passable && !mayBeOwned) {
            return Route.Pass.UNREAD;
        }
        return Route.Answer.of(
                mayBeOwned
                        ? admission.answer(
                                session,
                                new CommitAdmission.Asked(
                                        request,
                                        commit,
                                        commit.groupId(),
                                        !commit.memberId().isEmpty()),
                                judged -> session.offsets()
                                        .commit(commit, request.version(), request.deadlineNanos(), judged),
                                TxnOffsetCommitApi::uncertain)
                        : session.offsets().commit(commit, request.version(), request.deadlineNanos(), false));
    }

    private static ApiMessage uncertain(ApiMessage answer) {
        ((TxnOffsetCommitResponseData) answer)
                .topics()
                .forEach(topic -> topic.partitions()
                        .forEach(
                                partition -> partition.setErrorCode(CommitAdmission.uncertain(partition.errorCode()))));
        return answer;
    }
}
