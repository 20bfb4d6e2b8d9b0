package io.muster.cluster.security;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** Heartbeats and descriptions of Streams groups. */
final class StreamsQuestions {
    private StreamsQuestions() {}

    static void addTo(Map<String, Question> questions) {
        questions.put(
                "streams join without CREATE",
                new Question(Requests.READER, on -> streamsJoined(on, "open-app", "in", "app-store-changelog")));
        questions.put("streams join without DESCRIBE", new Question(Requests.READER, on -> {
            streamsJoined(on, "open-app-2", "secret", "app-store-changelog");
            streamsJoined(on, "open-app-2", "in", "other-store-changelog");
            streamsJoined(on, "shown-app", "in", "app-store-changelog");
            streamsJoined(on, "secret-app", "in", "app-store-changelog");
        }));
        questions.put("streams describe", new Question(Requests.READER, on -> {
            streamsJoined(on, "open-app-3", "in", "app-3-store-changelog");
            streamsDescribed(on);
        }));
        questions.put(
                "streams describe by the operator",
                new Question(Requests.OPERATOR, StreamsQuestions::streamsDescribed));
    }

    private static void streamsJoined(Exchange on, String group, String topic, String changelog) {
        StreamsGroupHeartbeatRequestData request = new StreamsGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId("m")
                .setMemberEpoch(0)
                .setRebalanceTimeoutMs(60_000)
                .setProcessId("p")
                .setActiveTasks(List.of())
                .setStandbyTasks(List.of())
                .setWarmupTasks(List.of())
                .setClientTags(List.of())
                .setTopology(new StreamsGroupHeartbeatRequestData.Topology()
                        .setSubtopologies(List.of(new StreamsGroupHeartbeatRequestData.Subtopology()
                                .setSubtopologyId("0")
                                .setSourceTopics(List.of(topic))
                                .setStateChangelogTopics(List.of(
                                        new StreamsGroupHeartbeatRequestData.TopicInfo().setName(changelog))))));
        StreamsGroupHeartbeatResponseData answer = on.connection()
                .call(ApiKeys.STREAMS_GROUP_HEARTBEAT, 1, request, StreamsGroupHeartbeatResponseData.class);
        on.add(group + " on " + topic + " and " + changelog, answer.errorCode(), answer.status());
    }

    private static void streamsDescribed(Exchange on) {
        StreamsGroupDescribeRequestData request = new StreamsGroupDescribeRequestData()
                .setGroupIds(List.of("open-app-3", "secret-app", "shown-app"))
                .setIncludeAuthorizedOperations(true);
        on.connection()
                .call(ApiKeys.STREAMS_GROUP_DESCRIBE, 1, request, StreamsGroupDescribeResponseData.class)
                .groups()
                .forEach(group -> on.add(group.groupId(), group.errorCode(), group.authorizedOperations()));
    }
}
