package io.muster.cluster.security;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** Descriptions, lists and deletions of groups. */
final class DescribeQuestions {
    private DescribeQuestions() {}

    static void addTo(Map<String, Question> questions) {
        questions.put("describe", new Question(Requests.READER, DescribeQuestions::described));
        questions.put("describe by the operator", new Question(Requests.OPERATOR, DescribeQuestions::described));
        for (int version : List.of(5, 6)) {
            questions.put("classic describe, version " + version, new Question(Requests.READER, on -> {
                DescribeGroupsRequestData request = new DescribeGroupsRequestData()
                        .setGroups(Requests.GROUPS)
                        .setIncludeAuthorizedOperations(true);
                on.connection()
                        .call(ApiKeys.DESCRIBE_GROUPS, version, request, DescribeGroupsResponseData.class)
                        .groups()
                        .forEach(group -> on.add(
                                group.groupId(), group.errorCode(), group.groupState(), group.authorizedOperations()));
            }));
        }
        questions.put("list", new Question(Requests.READER, DescribeQuestions::listed));
        questions.put("list by the operator", new Question(Requests.OPERATOR, DescribeQuestions::listed));
        questions.put("zz delete", new Question(Requests.READER, on -> {
            DeleteGroupsRequestData request = new DeleteGroupsRequestData().setGroupsNames(Requests.GROUPS);
            on.connection().call(ApiKeys.DELETE_GROUPS, 2, request, DeleteGroupsResponseData.class).results().stream()
                    .sorted(Comparator.comparing(DeleteGroupsResponseData.DeletableGroupResult::groupId))
                    .forEach(result -> on.add(result.groupId(), result.errorCode()));
        }));
    }

    private static void described(Exchange on) {
        ConsumerGroupDescribeRequestData request = new ConsumerGroupDescribeRequestData()
                .setGroupIds(List.of("open", "shown", "secret", "deletable", "never-heard-of"))
                .setIncludeAuthorizedOperations(true);
        on
                .connection()
                .call(ApiKeys.CONSUMER_GROUP_DESCRIBE, 1, request, ConsumerGroupDescribeResponseData.class)
                .groups()
                .stream()
                .sorted(Comparator.comparing(ConsumerGroupDescribeResponseData.DescribedGroup::groupId))
                .forEach(group -> on.add(
                        group.groupId(),
                        group.errorCode(),
                        group.authorizedOperations(),
                        group.members().stream()
                                .map(ConsumerGroupDescribeResponseData.Member::memberId)
                                .toList()));
    }

    private static void listed(Exchange on) {
        on
                .connection()
                .call(ApiKeys.LIST_GROUPS, 5, new ListGroupsRequestData(), ListGroupsResponseData.class)
                .groups()
                .stream()
                .map(ListGroupsResponseData.ListedGroup::groupId)
                .filter(Requests.GROUPS::contains)
                .sorted()
                .forEach(group -> on.add(group, (short) 0));
    }
}
