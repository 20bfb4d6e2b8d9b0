package io.muster.gateway.kafka.api;

import io.muster.core.GroupCommand;
import io.muster.core.GroupError;
import io.muster.core.GroupInspection;
import io.muster.core.GroupState;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocolCollection;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * JoinGroup (classic protocol): refused in a group that Muster owns and that has members, as Kafka refuses it in a group of another
 * type. An empty one is given back to the brokers for it, as Kafka makes a classic group of it.
 */
final class JoinGroupApi implements Api {
    private static final short FIRST_WITH_NULL_PROTOCOL = 7;

    /** Nobody's member id: a broker makes no group for it. */
    private static final String NOBODY = "?";

    /** What a broker says of the group, rather than of the request or the client. */
    private static final Set<Errors> ABOUT_THE_GROUP = Set.of(
            Errors.NONE, Errors.INCONSISTENT_GROUP_PROTOCOL, Errors.UNKNOWN_MEMBER_ID, Errors.GROUP_MAX_SIZE_REACHED);

    private final Coordinator coordinator;

    JoinGroupApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.JOIN_GROUP;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        String groupId = request.body(JoinGroupRequestData.class).groupId();
        return Concern.of(Concern.Kind.CLASSIC, groupId, !Ownership.mayBeOwned(coordinator, groupId));
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        JoinGroupRequestData asked = request.body(JoinGroupRequestData.class);
        if (!Ownership.mayBeOwned(coordinator, asked.groupId())) {
            return Route.Pass.UNREAD;
        }
        boolean owned = coordinator.owns(asked.groupId());
        if (!owned && !coordinator.hasLeader(asked.groupId())) {
            // Nobody says whether the group is Muster's; the claim refuses the join if it is.
            return Route.Pass.UNREAD;
        }
        Join join = new Join(asked, request.version(), session);
        return Route.Answer.of(coordinator
                .submit(new GroupCommand.Inspect(asked.groupId()))
                .thenCompose(response -> {
                    if (response instanceof GroupInspection inspection) {
                        return answer(join, inspection.description().state() == GroupState.EMPTY);
                    }
                    boolean gone = Answers.refusal(response).error() == GroupError.GROUP_ID_NOT_FOUND;
                    return gone || !owned ? join.pass() : answer(join, false);
                }));
    }

    private CompletableFuture<ApiMessage> answer(Join join, boolean empty) {
        return join.ofNoProtocol().thenCompose(upstream -> {
            if (!ABOUT_THE_GROUP.contains(Errors.forCode(upstream.errorCode()))) {
                return CompletableFuture.completedFuture(upstream);
            }
            if (!empty || !join.saysProtocols()) {
                return CompletableFuture.completedFuture(join.refusal(Errors.INCONSISTENT_GROUP_PROTOCOL));
            }
            return join.isNew()
                    ? giveBack(join)
                    : CompletableFuture.completedFuture(
                            join.refusal(Errors.UNKNOWN_MEMBER_ID).setMemberId(join.asked.memberId()));
        });
    }

    private CompletableFuture<ApiMessage> giveBack(Join join) {
        return coordinator
                .submit(new GroupCommand.Release(join.asked.groupId()))
                .thenCompose(response -> {
                    if (response instanceof Response.Done) {
                        return join.pass();
                    }
                    GroupError error = Answers.refusal(response).error();
                    if (error == GroupError.GROUP_ID_NOT_FOUND) {
                        return join.pass();
                    }
                    return CompletableFuture.completedFuture(join.refusal(
                            error == GroupError.NON_EMPTY_GROUP
                                    ? Errors.INCONSISTENT_GROUP_PROTOCOL
                                    : Errors.COORDINATOR_NOT_AVAILABLE));
                });
    }

    /** One request and whose it is. */
    private record Join(JoinGroupRequestData asked, short version, ClientSession session) {
        boolean isNew() {
            return asked.memberId().isEmpty();
        }

        boolean saysProtocols() {
            return !asked.protocolType().isEmpty() && !asked.protocols().isEmpty();
        }

        CompletableFuture<ApiMessage> pass() {
            return session.upstream().call(ApiKeys.JOIN_GROUP, version, asked);
        }

        /**
         * What the broker says of a join that lets nobody in, since it speaks no protocol: the limits of the session timeout, and what
         * the client may do, are looked at before.
         */
        CompletableFuture<JoinGroupResponseData> ofNoProtocol() {
            JoinGroupRequestData nobody = asked.duplicate()
                    .setMemberId(isNew() ? NOBODY : asked.memberId())
                    .setProtocolType("")
                    .setProtocols(new JoinGroupRequestProtocolCollection());
            return session.upstream().call(ApiKeys.JOIN_GROUP, version, nobody).thenApply(answer -> {
                JoinGroupResponseData said = (JoinGroupResponseData) answer;
                return isNew() ? said.setMemberId("") : said;
            });
        }

        JoinGroupResponseData refusal(Errors error) {
            return new JoinGroupResponseData()
                    .setErrorCode(error.code())
                    .setProtocolName(version < FIRST_WITH_NULL_PROTOCOL ? "" : null)
                    .setMemberId("");
        }
    }
}
