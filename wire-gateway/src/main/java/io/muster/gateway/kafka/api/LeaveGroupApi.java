package io.muster.gateway.kafka.api;

import io.muster.core.GroupCommand;
import io.muster.core.GroupCommand.MemberKey;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorMapper;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import java.util.List;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupResponseData.MemberResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** LeaveGroup: removes members of a group that Muster owns; of any other it is passed. */
final class LeaveGroupApi implements Api {
    private static final short FIRST_WITH_MEMBERS = 3;

    private final Coordinator coordinator;

    LeaveGroupApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.LEAVE_GROUP;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        String groupId = request.body(LeaveGroupRequestData.class).groupId();
        return Concern.of(Concern.Kind.WRITE, groupId, !coordinator.owns(groupId));
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        LeaveGroupRequestData asked = request.body(LeaveGroupRequestData.class);
        if (!coordinator.owns(asked.groupId())) {
            return Route.Pass.UNREAD;
        }
        List<MemberKey> members = request.version() < FIRST_WITH_MEMBERS
                ? List.of(new MemberKey(asked.memberId(), ""))
                : asked.members().stream().map(LeaveGroupApi::key).toList();
        GroupCommand command = new GroupCommand.RemoveMembers(asked.groupId(), members, false);
        return Route.Answer.of(Answers.forReader(
                session,
                asked.groupId(),
                () -> coordinator.submit(command).thenApply(response -> answer(response, request.version())),
                error -> new LeaveGroupResponseData().setErrorCode(error.code())));
    }

    private static MemberKey key(MemberIdentity member) {
        String instanceId = member.groupInstanceId();
        return new MemberKey(member.memberId(), instanceId == null ? "" : instanceId);
    }

    private static ApiMessage answer(Response response, short version) {
        LeaveGroupResponseData data = new LeaveGroupResponseData();
        if (!(response instanceof Response.MembersRemoved removed)) {
            return data.setErrorCode(
                    ErrorMapper.codeOf(Answers.refusal(response).error()));
        }
        if (version < FIRST_WITH_MEMBERS) {
            return data.setErrorCode(codeOf(removed.results().get(0)));
        }
        return data.setMembers(removed.results().stream()
                .map(result -> new MemberResponse()
                        .setMemberId(result.member().memberId())
                        .setGroupInstanceId(
                                result.member().instanceId().isEmpty()
                                        ? null
                                        : result.member().instanceId())
                        .setErrorCode(codeOf(result)))
                .toList());
    }

    private static short codeOf(Response.MemberResult result) {
        GroupError error = result.error();
        return error == null ? 0 : ErrorMapper.codeOf(error);
    }
}
