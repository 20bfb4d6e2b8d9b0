package io.muster.gateway.kafka.api;

import io.muster.core.ClientInfo;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorMapper;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import io.muster.gateway.kafka.permissions.RememberedMembers;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData.Assignment;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** ConsumerGroupHeartbeat (KIP-848), decided in Raft on arrival; patterns are looked up on the client's connection. */
public final class ConsumerGroupHeartbeatApi implements Api {
    private final Coordinator coordinator;
    private final Leaves leaves;
    private final HeartbeatAdmission admission;
    private final PatternLookup patterns;

    public ConsumerGroupHeartbeatApi(Coordinator coordinator, RememberedMembers remembered) {
        this.coordinator = coordinator;
        this.leaves = new Leaves(coordinator);
        this.admission = new HeartbeatAdmission(remembered);
        this.patterns = new PatternLookup(coordinator);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.CONSUMER_GROUP_HEARTBEAT;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        ConsumerGroupHeartbeatRequestData asked = request.body(ConsumerGroupHeartbeatRequestData.class);
        String instanceId = asked.instanceId();
        Concern heartbeat = Concern.heartbeat(
                asked.groupId(),
                asked.memberId(),
                instanceId == null ? "" : instanceId,
                asked.memberEpoch(),
                asked.topicPartitions() != null);
        return coordinator.owns(asked.groupId()) ? heartbeat : heartbeat.ofAbsentGroup();
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        ConsumerHeartbeat heartbeat = command(
                request.body(ConsumerGroupHeartbeatRequestData.class), session.client(request), request.version());
        CompletableFuture<ApiMessage> answer = admission.answer(
                session,
                HeartbeatAdmission.Beat.of(heartbeat, topics(heartbeat)),
                () -> decide(heartbeat, session, request.deadlineNanos()),
                () -> coordinator.submit(heartbeat.asKeepAlive()),
                ConsumerGroupHeartbeatApi::refusal);
        return Answers.heartbeat(answer, refusal(Errors.COORDINATOR_NOT_AVAILABLE));
    }

    private CompletableFuture<ApiMessage> decide(
            ConsumerHeartbeat heartbeat, ClientSession session, long deadlineNanos) {
        CompletableFuture<Response> decided = heartbeat.leaves()
                ? leaves.answer(
                        new Leaves.Leave(heartbeat, heartbeat.memberId(), left(heartbeat), deadlineNanos), session)
                : Answers.onThread(session, coordinator.submit(heartbeat));
        var unused = decided.thenAccept(response -> {
            if (response instanceof Response.ConsumerHeartbeatAnswer answer) {
                follow(heartbeat, answer, session);
            }
        });
        return decided.thenCompose(response -> heartbeat.joins() || coordinator.owns(heartbeat.groupId())
                        ? CompletableFuture.completedFuture(response)
                        : GroupsUpstream.told(response, heartbeat.groupId(), "consumer", session.upstream()))
                .thenApply(ConsumerGroupHeartbeatApi::answer);
    }

    private static Response left(ConsumerHeartbeat heartbeat) {
        return new Response.ConsumerHeartbeatAnswer(
                heartbeat.memberId(), heartbeat.memberEpoch(), 0, null, Collections.emptySortedSet());
    }

    private void follow(ConsumerHeartbeat heartbeat, Response.ConsumerHeartbeatAnswer answer, ClientSession session) {
        if (answer.memberEpoch() > 0) {
            admission.answered(session, heartbeat.groupId(), answer.memberId(), heartbeat.client());
        } else if (heartbeat.leaves()) {
            admission.left(heartbeat.groupId(), heartbeat.memberId());
        }
        if (!answer.patternsToResolve().isEmpty()) {
            patterns.look(heartbeat.groupId(), answer.patternsToResolve(), session.upstream());
        }
    }

    private static ApiMessage refusal(Errors error) {
        return new ConsumerGroupHeartbeatResponseData().setErrorCode(error.code());
    }

    private static Set<String> topics(ConsumerHeartbeat heartbeat) {
        List<String> subscribed = heartbeat.subscribedTopicNames();
        return subscribed == null ? Set.of() : new TreeSet<>(subscribed);
    }

    private static ConsumerHeartbeat command(ConsumerGroupHeartbeatRequestData data, ClientInfo client, short version) {
        return new ConsumerHeartbeat(
                data.groupId(),
                data.memberId(),
                data.memberEpoch(),
                data.instanceId(),
                data.rackId(),
                data.rebalanceTimeoutMs(),
                data.subscribedTopicNames(),
                data.subscribedTopicRegex(),
                data.serverAssignor(),
                Kafka.owned(
                        data.topicPartitions(),
                        data.memberEpoch() == ConsumerHeartbeat.JOIN_EPOCH,
                        topic -> Kafka.uuid(topic.topicId()),
                        topic -> topic.partitions()),
                client,
                version);
    }

    private static ConsumerGroupHeartbeatResponseData answer(Response response) {
        if (!(response instanceof Response.ConsumerHeartbeatAnswer answer)) {
            Response.Refused refused = Answers.refusal(response);
            return new ConsumerGroupHeartbeatResponseData()
                    .setErrorCode(ErrorMapper.codeOf(refused.error()))
                    .setErrorMessage(refused.message());
        }
        Partitions<UUID> assigned = answer.assignment();
        return new ConsumerGroupHeartbeatResponseData()
                .setMemberId(answer.memberId())
                .setMemberEpoch(answer.memberEpoch())
                .setHeartbeatIntervalMs(answer.heartbeatIntervalMillis())
                .setAssignment(
                        assigned == null
                                ? null
                                : new Assignment()
                                        .setTopicPartitions(Kafka.entries(
                                                assigned,
                                                (id, numbers) -> new TopicPartitions()
                                                        .setTopicId(Kafka.uuid(id))
                                                        .setPartitions(numbers))));
    }
}
