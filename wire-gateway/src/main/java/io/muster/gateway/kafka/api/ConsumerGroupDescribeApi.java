package io.muster.gateway.kafka.api;

import io.muster.core.GroupCommand;
import io.muster.core.GroupDescription;
import io.muster.core.GroupType;
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
import io.muster.gateway.kafka.permissions.GroupAccess;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Assignment;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Member;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** ConsumerGroupDescribe (KIP-848). */
public final class ConsumerGroupDescribeApi implements Api {
    private static final byte MODERN_MEMBER = 1;

    private final Coordinator coordinator;

    public ConsumerGroupDescribeApi(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.CONSUMER_GROUP_DESCRIBE;
    }

    @Override
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        List<String> groupIds =
                request.body(ConsumerGroupDescribeRequestData.class).groupIds();
        return Concern.of(Concern.Kind.READ, groupIds, false);
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        ConsumerGroupDescribeRequestData asked = request.body(ConsumerGroupDescribeRequestData.class);
        CompletableFuture<ApiMessage> answer = session.permissions()
                .groups(asked.groupIds())
                .thenCompose(access -> Answers.all(asked.groupIds().stream()
                        .map(id -> describe(
                                id,
                                access.get(id),
                                new Asked(asked.includeAuthorizedOperations(), request.version()),
                                session.upstream()))
                        .toList()))
                .thenApply(groups -> Answers.deniedFirst(groups, DescribedGroup::errorCode))
                .thenCompose(groups -> Answers.withoutHidden(
                        groups, session, ConsumerGroupDescribeApi::topics, ConsumerGroupDescribeApi::hidden))
                .thenApply(groups -> new ConsumerGroupDescribeResponseData().setGroups(groups));
        return Route.Answer.of(answer);
    }

    /** What of groups the request asks for, and in which version. */
    private record Asked(boolean operations, short version) {}

    private CompletableFuture<DescribedGroup> describe(
            String groupId, @Nullable GroupAccess access, Asked asked, ClientUpstream upstream) {
        if (access == null || !access.mayDescribe()) {
            Errors error = access == null ? Errors.COORDINATOR_NOT_AVAILABLE : access.error();
            return CompletableFuture.completedFuture(
                    new DescribedGroup().setGroupId(groupId).setErrorCode(error.code()));
        }
        return coordinator
                .submit(new GroupCommand.Describe(groupId, GroupType.CONSUMER))
                .thenCompose(response -> GroupsUpstream.told(response, groupId, "consumer", upstream))
                .thenApply(response -> {
                    DescribedGroup group = group(groupId, response, asked.version());
                    return asked.operations() && group.errorCode() == 0
                            ? group.setAuthorizedOperations(access.operations())
                            : group;
                });
    }

    private static DescribedGroup hidden(DescribedGroup group) {
        return new DescribedGroup()
                .setGroupId(group.groupId())
                .setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code())
                .setErrorMessage(Answers.HIDDEN_TOPICS);
    }

    private static Set<String> topics(DescribedGroup group) {
        return group.members().stream()
                .flatMap(member -> Stream.of(member.assignment(), member.targetAssignment()))
                .flatMap(assignment -> assignment.topicPartitions().stream())
                .map(TopicPartitions::topicName)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }

    private static DescribedGroup group(String groupId, Response response, short version) {
        if (!(response instanceof GroupDescription.Consumer group)) {
            Response.Refused refused = Answers.refusal(response);
            return new DescribedGroup()
                    .setGroupId(groupId)
                    .setErrorCode(ErrorMapper.codeOf(refused.error()))
                    .setErrorMessage(groupId.isEmpty() ? null : refused.message());
        }
        return new DescribedGroup()
                .setGroupId(groupId)
                .setGroupState(group.state().kafkaName())
                .setGroupEpoch(group.groupEpoch())
                .setAssignmentEpoch(group.assignmentEpoch())
                .setAssignorName(group.assignorName())
                .setMembers(group.members().stream()
                        .map(member -> member(member, group.topicNames(), version))
                        .toList());
    }

    private static Member member(GroupDescription.ConsumerMember member, SortedMap<UUID, String> names, short version) {
        Member described = new Member()
                .setMemberId(member.memberId())
                .setInstanceId(member.instanceId())
                .setRackId(member.rackId())
                .setMemberEpoch(member.memberEpoch())
                .setClientId(member.client().clientId())
                .setClientHost(member.client().clientHost())
                .setSubscribedTopicNames(member.subscribedTopicNames())
                .setSubscribedTopicRegex(member.subscribedTopicRegex())
                .setAssignment(assignment(member.assignment(), names))
                .setTargetAssignment(assignment(member.targetAssignment(), names));
        return version == 0 ? described : described.setMemberType(MODERN_MEMBER);
    }

    private static Assignment assignment(Partitions<UUID> partitions, SortedMap<UUID, String> names) {
        return new Assignment()
                .setTopicPartitions(Kafka.entries(
                        partitions,
                        (id, numbers) -> new TopicPartitions()
                                .setTopicId(Kafka.uuid(id))
                                .setTopicName(names.getOrDefault(id, ""))
                                .setPartitions(numbers)));
    }
}
