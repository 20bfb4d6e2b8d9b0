package io.muster.gateway.kafka.api;

import io.muster.core.Endpoint;
import io.muster.core.InternalCommand;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TaskAssignment;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorMapper;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.PartitionEnds;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import io.muster.gateway.kafka.permissions.RememberedMembers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.EndpointToPartitions;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.Status;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.TaskIds;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * StreamsGroupHeartbeat (KIP-1071), decided in Raft on arrival; missing internal topics are created on the client's connection, and
 * ends of changelogs that a decision needs are read.
 */
public final class StreamsGroupHeartbeatApi implements Api {
    private final Coordinator coordinator;
    private final Leaves leaves;
    private final HeartbeatAdmission admission;
    private final PartitionEnds endOffsets;
    private final InternalTopicCreation creation;

    public StreamsGroupHeartbeatApi(Coordinator coordinator, PartitionEnds endOffsets, RememberedMembers remembered) {
        this.coordinator = coordinator;
        this.leaves = new Leaves(coordinator);
        this.admission = new HeartbeatAdmission(remembered);
        this.endOffsets = endOffsets;
        this.creation = new InternalTopicCreation(coordinator);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.STREAMS_GROUP_HEARTBEAT;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        StreamsGroupHeartbeatRequestData asked = request.body(StreamsGroupHeartbeatRequestData.class);
        String instanceId = asked.instanceId();
        Concern heartbeat = Concern.heartbeat(
                asked.groupId(),
                asked.memberId(),
                instanceId == null ? "" : instanceId,
                asked.memberEpoch(),
                asked.activeTasks() != null || asked.standbyTasks() != null || asked.warmupTasks() != null);
        return coordinator.owns(asked.groupId()) ? heartbeat : heartbeat.ofAbsentGroup();
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
        StreamsHeartbeat heartbeat = StreamsRequests.heartbeat(asked, session.client(request), request.version());
        CompletableFuture<ApiMessage> answer = admission.answer(
                session,
                HeartbeatAdmission.Beat.of(heartbeat, StreamsRequests.topics(heartbeat)),
                () -> decide(heartbeat, session, request.deadlineNanos()),
                () -> coordinator.submit(heartbeat.asKeepAlive()),
                StreamsGroupHeartbeatApi::refusal);
        return Answers.heartbeat(answer, refusal(Errors.COORDINATOR_NOT_AVAILABLE));
    }

    private CompletableFuture<ApiMessage> decide(
            StreamsHeartbeat heartbeat, ClientSession session, long deadlineNanos) {
        CompletableFuture<Response> decided = heartbeat.leaves()
                ? leaves.answer(
                        new Leaves.Leave(heartbeat, heartbeat.memberId(), left(heartbeat), deadlineNanos), session)
                : Answers.onThread(session, coordinator.submit(heartbeat));
        CompletableFuture<Response> followed =
                decided.thenCompose(response -> response instanceof Response.StreamsHeartbeatAnswer answer
                        ? follow(heartbeat, answer, session)
                        : CompletableFuture.completedFuture(response));
        return followed.thenCompose(response -> heartbeat.joins() || coordinator.owns(heartbeat.groupId())
                        ? CompletableFuture.completedFuture(response)
                        : GroupsUpstream.told(response, heartbeat.groupId(), "streams", session.upstream()))
                .thenApply(response -> answer(response, (short) heartbeat.apiVersion()));
    }

    private static Response left(StreamsHeartbeat heartbeat) {
        return new Response.StreamsHeartbeatAnswer(
                heartbeat.memberId(),
                heartbeat.memberEpoch(),
                0,
                0,
                -1,
                false,
                List.of(),
                null,
                0,
                null,
                List.of(),
                Partitions.none());
    }

    private static ApiMessage refusal(Errors error) {
        return new StreamsGroupHeartbeatResponseData().setErrorCode(error.code());
    }

    /** Does what the answer asks of the gateway; the answer says so if the client may not have it done. */
    private CompletableFuture<Response> follow(
            StreamsHeartbeat heartbeat, Response.StreamsHeartbeatAnswer answer, ClientSession session) {
        String groupId = heartbeat.groupId();
        if (answer.memberEpoch() > 0) {
            admission.answered(session, groupId, answer.memberId(), heartbeat.client());
        } else if (heartbeat.leaves()) {
            admission.left(groupId, heartbeat.memberId());
        }
        if (!answer.endOffsetsToRead().isEmpty()) {
            var unused = endOffsets
                    .read(answer.endOffsetsToRead())
                    .thenCompose(ends -> coordinator.submit(new InternalCommand.EndOffsetsRead(groupId, ends)));
        }
        return answer.topicsToCreate().isEmpty()
                ? CompletableFuture.completedFuture(answer)
                : creation.create(groupId, answer, session);
    }

    private static StreamsGroupHeartbeatResponseData answer(Response response, short version) {
        if (!(response instanceof Response.StreamsHeartbeatAnswer answer)) {
            Response.Refused refused = Answers.refusal(response);
            return new StreamsGroupHeartbeatResponseData()
                    .setErrorCode(ErrorMapper.codeOf(refused.error()))
                    .setErrorMessage(refused.message());
        }
        StreamsGroupHeartbeatResponseData data = new StreamsGroupHeartbeatResponseData()
                .setMemberId(answer.memberId())
                .setMemberEpoch(answer.memberEpoch())
                .setHeartbeatIntervalMs(answer.heartbeatIntervalMillis())
                .setTaskOffsetIntervalMs(answer.taskOffsetIntervalMillis())
                .setEndpointInformationEpoch(answer.endpointInformationEpoch())
                .setStatus(answer.status().stream()
                        .map(status -> new Status()
                                .setStatusCode(codeOf(status.code()))
                                .setStatusDetail(status.detail()))
                        .toList());
        if (version > 0) {
            // Version 0 has a field for the lag too; Kafka leaves it at 0.
            data.setAcceptableRecoveryLag(answer.acceptableRecoveryLag())
                    .setTopologyDescriptionRequired(answer.topologyDescriptionRequired());
        }
        TaskAssignment assigned = answer.assignment();
        if (assigned != null) {
            data.setActiveTasks(tasks(assigned.active()))
                    .setStandbyTasks(tasks(assigned.standby()))
                    .setWarmupTasks(tasks(assigned.warmup()));
        }
        List<Response.EndpointPartitions> endpoints = answer.endpoints();
        if (endpoints != null) {
            data.setPartitionsByUserEndpoint(
                    endpoints.stream().map(StreamsGroupHeartbeatApi::endpoint).toList());
        }
        return data;
    }

    private static List<TaskIds> tasks(Partitions<String> tasks) {
        return Kafka.entries(
                tasks, (id, numbers) -> new TaskIds().setSubtopologyId(id).setPartitions(numbers));
    }

    private static EndpointToPartitions endpoint(Response.EndpointPartitions served) {
        Endpoint endpoint = served.endpoint();
        return new EndpointToPartitions()
                .setUserEndpoint(new StreamsGroupHeartbeatResponseData.Endpoint()
                        .setHost(endpoint.host())
                        .setPort(endpoint.port()))
                .setActivePartitions(topics(served.active()))
                .setStandbyPartitions(topics(served.standby()));
    }

    private static List<TopicPartition> topics(List<Partitions<String>> partitions) {
        return partitions.stream()
                .flatMap(each -> Kafka.entries(
                        each,
                        (topic, numbers) -> new TopicPartition().setTopic(topic).setPartitions(numbers))
                        .stream())
                .toList();
    }

    private static byte codeOf(Response.StreamsStatus.Code code) {
        return switch (code) {
            case STALE_TOPOLOGY -> 0;
            case MISSING_SOURCE_TOPICS -> 1;
            case INCORRECTLY_PARTITIONED_TOPICS -> 2;
            case MISSING_INTERNAL_TOPICS -> 3;
            case SHUTDOWN_APPLICATION -> 4;
            case ASSIGNMENT_DELAYED -> 5;
            case MISSING_CLIENT_TAGS -> 6;
        };
    }
}
