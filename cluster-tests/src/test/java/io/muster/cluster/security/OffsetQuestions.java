package io.muster.cluster.security;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Offsets that are committed, fetched and deleted. */
final class OffsetQuestions {
    private OffsetQuestions() {}

    static void addTo(Map<String, Question> questions) {
        questions.put("offset commits", new Question(Requests.READER, on -> {
            for (String group : List.of("open", "shown", "secret", "open-simple", "secret-simple")) {
                committed(on, group, "", -1);
                committed(on, group, "stranger", 1);
                committed(on, group, "founder", 77);
            }
        }));
        questions.put("offset fetches", new Question(Requests.READER, on -> {
            for (String group : List.of("open", "shown", "secret", "open-simple")) {
                fetched(on, group, null, -1);
                fetched(on, group, "stranger", 1);
                fetched(on, group, "founder", 77);
            }
        }));
        questions.put("offset deletions", new Question(Requests.READER, on -> {
            for (String group : List.of("open", "shown", "secret", "deletable", "never-heard-of")) {
                deleted(on, group, List.of("in"));
                deleted(on, group, List.of("in", "shown", "secret", "absent"));
            }
        }));
    }

    private static void committed(Exchange on, String group, String member, int epoch) {
        OffsetCommitRequestData request = new OffsetCommitRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setGenerationIdOrMemberEpoch(epoch)
                .setTopics(List.of("in", "shown", "secret", "absent").stream()
                        .map(topic -> new OffsetCommitRequestData.OffsetCommitRequestTopic()
                                .setName(topic)
                                .setPartitions(List.of(new OffsetCommitRequestData.OffsetCommitRequestPartition()
                                        .setCommittedOffset(1))))
                        .toList());
        on.connection().call(ApiKeys.OFFSET_COMMIT, 9, request, OffsetCommitResponseData.class).topics().stream()
                .sorted(Comparator.comparing(OffsetCommitResponseData.OffsetCommitResponseTopic::name))
                .forEach(topic -> on.add(
                        group + " by " + member + " of " + topic.name(),
                        topic.partitions().get(0).errorCode()));
    }

    private static void fetched(Exchange on, String group, @Nullable String member, int epoch) {
        OffsetFetchRequestData request = new OffsetFetchRequestData()
                .setGroups(List.of(new OffsetFetchRequestData.OffsetFetchRequestGroup()
                        .setGroupId(group)
                        .setMemberId(member)
                        .setMemberEpoch(epoch)
                        .setTopics(List.of("in", "shown", "secret", "absent").stream()
                                .map(topic -> new OffsetFetchRequestData.OffsetFetchRequestTopics()
                                        .setName(topic)
                                        .setPartitionIndexes(List.of(0)))
                                .toList())));
        OffsetFetchResponseData.OffsetFetchResponseGroup answer = on.connection()
                .call(ApiKeys.OFFSET_FETCH, 9, request, OffsetFetchResponseData.class)
                .groups()
                .get(0);
        on.add(
                group + " by " + member,
                answer.errorCode(),
                answer.topics().stream()
                        .map(topic -> topic.name() + " "
                                + Errors.forCode(topic.partitions().get(0).errorCode()))
                        .sorted()
                        .toList());
    }

    private static void deleted(Exchange on, String group, List<String> topics) {
        OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection collection =
                new OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection();
        topics.forEach(topic -> collection.add(new OffsetDeleteRequestData.OffsetDeleteRequestTopic()
                .setName(topic)
                .setPartitions(List.of(new OffsetDeleteRequestData.OffsetDeleteRequestPartition()))));
        OffsetDeleteRequestData request =
                new OffsetDeleteRequestData().setGroupId(group).setTopics(collection);
        OffsetDeleteResponseData answer =
                on.connection().call(ApiKeys.OFFSET_DELETE, 0, request, OffsetDeleteResponseData.class);
        on.add(
                group + " of " + topics,
                answer.errorCode(),
                answer.topics().stream()
                        .map(topic -> topic.name() + " "
                                + Errors.forCode(
                                        topic.partitions().iterator().next().errorCode()))
                        .sorted()
                        .toList());
    }
}
