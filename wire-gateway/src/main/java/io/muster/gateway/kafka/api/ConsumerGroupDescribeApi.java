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
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Assignment;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Member;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.ApiKeys;

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
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        ConsumerGroupDescribeRequestData asked = request.body(ConsumerGroupDescribeRequestData.class);
        List<CompletableFuture<DescribedGroup>> groups = asked.groupIds().stream()
                .map(id -> describe(id, asked, request.version()))
                .toList();
        return Route.Answer.of(
                Answers.all(groups).thenApply(all -> new ConsumerGroupDescribeResponseData().setGroups(all)));
    }

    private CompletableFuture<DescribedGroup> describe(
            String groupId, ConsumerGroupDescribeRequestData asked, short version) {
        return Answers.bounded(coordinator.submit(new GroupCommand.Describe(groupId, GroupType.CONSUMER)))
                .thenApply(response -> {
                    DescribedGroup group = group(groupId, response, version);
                    return asked.includeAuthorizedOperations() && group.errorCode() == 0
                            ? group.setAuthorizedOperations(Kafka.ALL_GROUP_OPERATIONS)
                            : group;
                });
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
