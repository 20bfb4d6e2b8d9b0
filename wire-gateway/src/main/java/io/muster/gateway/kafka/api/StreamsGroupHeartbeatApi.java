package io.muster.gateway.kafka.api;

import io.muster.core.Response;
import io.muster.core.StreamsHeartbeat;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.PartitionEnds;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import io.muster.gateway.kafka.permissions.RememberedMembers;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * StreamsGroupHeartbeat (KIP-1071), decided in Raft on arrival; missing internal topics are created on the client's connection, and
 * ends of changelogs that a decision needs are read.
 */
final class StreamsGroupHeartbeatApi implements Api {
    private final HeartbeatPipeline pipeline;
    private final StreamsFollowUps followUps;

    StreamsGroupHeartbeatApi(Coordinator coordinator, PartitionEnds endOffsets, RememberedMembers remembered) {
        this.pipeline = new HeartbeatPipeline(coordinator, remembered);
        this.followUps = new StreamsFollowUps(coordinator, endOffsets);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.STREAMS_GROUP_HEARTBEAT;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        StreamsGroupHeartbeatRequestData asked = request.body(StreamsGroupHeartbeatRequestData.class);
        return pipeline.concern(
                asked.groupId(),
                Concern.heartbeat(
                        asked.groupId(),
                        asked.memberId(),
                        asked.instanceId(),
                        asked.memberEpoch(),
                        asked.activeTasks() != null || asked.standbyTasks() != null || asked.warmupTasks() != null));
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        StreamsGroupHeartbeatRequestData asked = request.body(StreamsGroupHeartbeatRequestData.class);
        Optional<String> ambiguity = StreamsRequests.ambiguity(asked);
        if (ambiguity.isPresent()) {
            return Route.Answer.of(new StreamsGroupHeartbeatResponseData()
                    .setErrorCode(Errors.INVALID_REQUEST.code())
                    .setErrorMessage(ambiguity.get()));
        }
        StreamsHeartbeat command = StreamsRequests.heartbeat(asked, session.client(request), request.version());
        return pipeline.route(new Received(command, followUps, session), session, request.deadlineNanos());
    }

    /** One heartbeat, and what follows from its answer. */
    private record Received(StreamsHeartbeat command, StreamsFollowUps followUps, ClientSession session)
            implements GroupHeartbeat {
        @Override
        public Set<String> topics() {
            return StreamsRequests.topics(command.topology());
        }

        @Override
        public Response left() {
            return Response.StreamsHeartbeatAnswer.left(command.memberId(), command.memberEpoch());
        }

        @Override
        public Optional<String> liveMemberId(Response answer) {
            return answer instanceof Response.StreamsHeartbeatAnswer member && member.memberEpoch() > 0
                    ? Optional.of(member.memberId())
                    : Optional.empty();
        }

        @Override
        public CompletableFuture<Response> follow(Response answer) {
            return answer instanceof Response.StreamsHeartbeatAnswer member
                    ? followUps.follow(command.groupId(), member, session)
                    : CompletableFuture.completedFuture(answer);
        }

        @Override
        public ApiMessage answer(Response answer) {
            return StreamsAnswers.heartbeat(answer, (short) command.apiVersion());
        }

        @Override
        public ApiMessage refusal(Errors error) {
            return new StreamsGroupHeartbeatResponseData().setErrorCode(error.code());
        }
    }
}
