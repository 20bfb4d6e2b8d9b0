package io.muster.gateway.kafka.api;

import io.muster.core.ClientInfo;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Partitions;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorMapper;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.order.Concern;
import io.muster.gateway.kafka.permissions.RememberedMembers;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
final class ConsumerGroupHeartbeatApi implements Api {
    private final HeartbeatPipeline pipeline;
    private final PatternLookup patterns;

    ConsumerGroupHeartbeatApi(Coordinator coordinator, RememberedMembers remembered) {
        this.pipeline = new HeartbeatPipeline(coordinator, remembered);
        this.patterns = new PatternLookup(coordinator);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.CONSUMER_GROUP_HEARTBEAT;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        ConsumerGroupHeartbeatRequestData asked = request.body(ConsumerGroupHeartbeatRequestData.class);
        return pipeline.concern(
                asked.groupId(),
                Concern.heartbeat(
                        asked.groupId(),
                        asked.memberId(),
                        asked.instanceId(),
                        asked.memberEpoch(),
                        asked.topicPartitions() != null));
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        ConsumerHeartbeat command = command(
                request.body(ConsumerGroupHeartbeatRequestData.class), session.client(request), request.version());
        return pipeline.route(new Received(command, patterns, session.upstream()), session, request.deadlineNanos());
    }

    /** One heartbeat, and what follows from its answer. */
    private record Received(ConsumerHeartbeat command, PatternLookup patterns, ClientUpstream upstream)
            implements GroupHeartbeat {
        @Override
        public Set<String> topics() {
            List<String> subscribed = command.subscribedTopicNames();
            return subscribed == null ? Set.of() : new TreeSet<>(subscribed);
        }

        @Override
        public Response left() {
            return new Response.ConsumerHeartbeatAnswer(
                    command.memberId(), command.memberEpoch(), 0, null, Collections.emptySortedSet());
        }

        @Override
        public Optional<String> liveMemberId(Response answer) {
            return answer instanceof Response.ConsumerHeartbeatAnswer member && member.memberEpoch() > 0
                    ? Optional.of(member.memberId())
                    : Optional.empty();
        }

        @Override
        public CompletableFuture<Response> follow(Response answer) {
            if (answer instanceof Response.ConsumerHeartbeatAnswer member
                    && !member.patternsToResolve().isEmpty()) {
                patterns.look(command.groupId(), member.patternsToResolve(), upstream);
            }
            return CompletableFuture.completedFuture(answer);
        }

        @Override
        public ApiMessage answer(Response answer) {
            return ConsumerGroupHeartbeatApi.answer(answer);
        }

        @Override
        public ApiMessage refusal(Errors error) {
            return new ConsumerGroupHeartbeatResponseData().setErrorCode(error.code());
        }
    }

    private static ConsumerHeartbeat command(ConsumerGroupHeartbeatRequestData data, ClientInfo client, short version) {
        return new ConsumerHeartbeat(
                new Sender(
                        data.groupId(),
                        data.memberId(),
                        data.memberEpoch(),
                        data.instanceId(),
                        data.rackId(),
                        data.rebalanceTimeoutMs(),
                        client,
                        version),
                data.subscribedTopicNames(),
                data.subscribedTopicRegex(),
                data.serverAssignor(),
                Kafka.owned(
                        data.topicPartitions(),
                        data.memberEpoch() == ConsumerHeartbeat.JOIN_EPOCH,
                        topic -> Kafka.uuid(topic.topicId()),
                        topic -> topic.partitions()));
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
