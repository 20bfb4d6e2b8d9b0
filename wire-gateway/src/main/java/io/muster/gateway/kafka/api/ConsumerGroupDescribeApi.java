package io.muster.gateway.kafka.api;

import io.muster.core.GroupDescription;
import io.muster.core.GroupType;
import io.muster.core.Partitions;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Assignment;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Member;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.ApiKeys;

/** ConsumerGroupDescribe (KIP-848). */
final class ConsumerGroupDescribeApi implements Api {
    private static final byte MODERN_MEMBER = 1;

    private final DescribePipeline<GroupDescription.Consumer> pipeline;

    ConsumerGroupDescribeApi(Coordinator coordinator) {
        this.pipeline = new DescribePipeline<>(
                coordinator, GroupType.CONSUMER, GroupDescription.Consumer.class, ConsumerGroupDescribeApi::topics);
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
        return Route.Answer.of(pipeline.describe(asked.groupIds(), session)
                .thenApply(outcomes -> new ConsumerGroupDescribeResponseData()
                        .setGroups(outcomes.stream()
                                .map(outcome -> group(outcome, asked.includeAuthorizedOperations(), request.version()))
                                .toList())));
    }

    private static Set<String> topics(GroupDescription.Consumer group) {
        return group.members().stream()
                .flatMap(member -> Stream.of(member.assignment(), member.targetAssignment()))
                .flatMap(assignment -> assignment.byKey().keySet().stream())
                .map(id -> group.topicNames().getOrDefault(id, ""))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }

    private static DescribedGroup group(
            DescribePipeline.Outcome<GroupDescription.Consumer> outcome, boolean withOperations, short version) {
        DescribedGroup described = new DescribedGroup()
                .setGroupId(outcome.groupId())
                .setErrorCode(outcome.error().code())
                .setErrorMessage(outcome.message());
        GroupDescription.Consumer group = outcome.group();
        if (group == null) {
            return described;
        }
        if (withOperations) {
            described.setAuthorizedOperations(outcome.operations());
        }
        return described
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
