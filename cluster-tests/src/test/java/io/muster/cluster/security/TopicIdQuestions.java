package io.muster.cluster.security;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** Offsets of topics that are named by their ids, also of topics that the user may not describe. */
final class TopicIdQuestions {
    private static final Uuid NOBODYS = new Uuid(7, 7);

    private TopicIdQuestions() {}

    static void addTo(Map<String, Question> questions) {
        questions.put("offset commits by topic ids", new Question(Requests.OPERATOR, on -> {
            Map<Uuid, String> names = names(on);
            on.as(Requests.READER, asReader -> {
                for (String group : List.of("open", "shown", "secret", "open-simple")) {
                    committed(asReader, names, group, "", -1);
                    committed(asReader, names, group, "founder", 1);
                    committed(asReader, names, group, "founder", 77);
                }
            });
        }));
        questions.put("offset fetches by topic ids", new Question(Requests.OPERATOR, on -> {
            Map<Uuid, String> names = names(on);
            on.as(Requests.READER, asReader -> {
                for (String group : List.of("open", "shown", "secret", "open-simple")) {
                    fetched(asReader, names, group);
                }
            });
        }));
    }

    private static Map<Uuid, String> names(Exchange on) {
        MetadataRequestData request = new MetadataRequestData()
                .setTopics(Places.TOPICS.stream()
                        .map(topic -> new MetadataRequestData.MetadataRequestTopic().setName(topic))
                        .toList());
        Map<Uuid, String> names = new HashMap<>(Map.of(NOBODYS, "nobody's"));
        on.connection()
                .call(ApiKeys.METADATA, 12, request, MetadataResponseData.class)
                .topics()
                .forEach(topic -> names.put(topic.topicId(), topic.name()));
        return names;
    }

    private static void committed(Exchange on, Map<Uuid, String> names, String group, String member, int epoch) {
        OffsetCommitRequestData request = new OffsetCommitRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setGenerationIdOrMemberEpoch(epoch)
                .setTopics(names.keySet().stream()
                        .map(topic -> new OffsetCommitRequestData.OffsetCommitRequestTopic()
                                .setTopicId(topic)
                                .setPartitions(List.of(new OffsetCommitRequestData.OffsetCommitRequestPartition()
                                        .setCommittedOffset(1))))
                        .toList());
        on.connection().call(ApiKeys.OFFSET_COMMIT, 10, request, OffsetCommitResponseData.class).topics().stream()
                .sorted(Comparator.comparing(topic -> names.getOrDefault(topic.topicId(), "?")))
                .forEach(topic -> on.add(
                        group + " by " + member + " of " + names.get(topic.topicId()),
                        topic.partitions().get(0).errorCode()));
    }

    private static void fetched(Exchange on, Map<Uuid, String> names, String group) {
        OffsetFetchRequestData request = new OffsetFetchRequestData()
                .setGroups(List.of(new OffsetFetchRequestData.OffsetFetchRequestGroup()
                        .setGroupId(group)
                        .setTopics(names.keySet().stream()
                                .map(topic -> new OffsetFetchRequestData.OffsetFetchRequestTopics()
                                        .setTopicId(topic)
                                        .setPartitionIndexes(List.of(0)))
                                .toList())));
        OffsetFetchResponseData.OffsetFetchResponseGroup answer = on.connection()
                .call(ApiKeys.OFFSET_FETCH, 10, request, OffsetFetchResponseData.class)
                .groups()
                .get(0);
        List<String> topics = answer.topics().stream()
                .map(topic -> names.get(topic.topicId()) + " "
                        + Errors.forCode(topic.partitions().get(0).errorCode()))
                .sorted()
                .toList();
        on.add(group, answer.errorCode(), topics);
    }
}
