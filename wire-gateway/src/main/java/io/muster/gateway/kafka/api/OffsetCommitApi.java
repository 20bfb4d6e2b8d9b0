package io.muster.gateway.kafka.api;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** OffsetCommit: for a group that Muster owns, admitted in Raft and then stored upstream under the claim. */
public final class OffsetCommitApi implements Api {
    private final Coordinator coordinator;
    private final CommitAdmission admission;

    public OffsetCommitApi(Coordinator coordinator) {
        this.coordinator = coordinator;
        this.admission = new CommitAdmission(coordinator);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_COMMIT;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        String groupId = request.body(OffsetCommitRequestData.class).groupId();
        return Concern.of(Concern.Kind.COMMIT, groupId, !Ownership.mayBeOwned(coordinator, groupId));
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        OffsetCommitRequestData commit = request.body(OffsetCommitRequestData.class);
        boolean passable = request.version() <= session.upstream().maxVersion(key());
        boolean mayBeOwned = Ownership.mayBeOwned(coordinator, commit.groupId());
        if (passable && !mayBeOwned) {
            return Route.Pass.UNREAD;
        }
        return Route.Answer.of(
                mayBeOwned
                        ? admission.answer(
                                session,
                                new CommitAdmission.Asked(request, commit, commit.groupId(), true),
                                judged -> session.offsets()
                                        .commit(commit, request.version(), request.deadlineNanos(), judged),
                                OffsetCommitApi::uncertain)
                        : session.offsets().commit(commit, request.version(), request.deadlineNanos(), false));
    }

    private static ApiMessage uncertain(ApiMessage answer) {
        ((OffsetCommitResponseData) answer)
                .topics()
                .forEach(topic -> topic.partitions()
                        .forEach(
                                partition -> partition.setErrorCode(CommitAdmission.uncertain(partition.errorCode()))));
        return answer;
    }
}
