package io.muster.cluster.security;

import io.muster.cluster.kafka.RawKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.awaitility.Awaitility;

/** Patterns match only topics that the member may describe, and all of them. */
final class PatternQuestions {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private PatternQuestions() {}

    static void addTo(Map<String, Question> questions) {
        for (String pattern : List.of(".*", "s.*", "in|secret")) {
            questions.put(
                    "topics that match " + pattern,
                    new Question(Requests.READER, on -> matched(on, "open-pattern-" + pattern.length(), pattern)));
        }
    }

    /** How many partitions the only member of a group gets; every topic has another number of them. */
    private static void matched(Exchange on, String group, String pattern) {
        ConsumerGroupHeartbeatRequestData request =
                HeartbeatQuestions.join(group, "reader", List.of()).setSubscribedTopicRegex(pattern);
        ConsumerGroupHeartbeatResponseData joined = heartbeat(on.connection(), request);
        on.add("join", joined.errorCode());
        ConsumerGroupHeartbeatRequestData next = new ConsumerGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId("reader")
                .setMemberEpoch(joined.memberEpoch());
        ConsumerGroupHeartbeatResponseData told = Awaitility.await()
                .atMost(LIMIT)
                .until(
                        () -> {
                            ConsumerGroupHeartbeatResponseData answer = heartbeat(on.connection(), next);
                            next.setMemberEpoch(answer.memberEpoch());
                            return answer;
                        },
                        answer -> answer.errorCode() != 0
                                || (answer.assignment() != null
                                        && !answer.assignment()
                                                .topicPartitions()
                                                .isEmpty()));
        on.add(
                "assigned",
                told.errorCode(),
                told.assignment().topicPartitions().stream()
                        .map(topic -> topic.partitions().size())
                        .sorted()
                        .toList());
    }

    private static ConsumerGroupHeartbeatResponseData heartbeat(
            RawKafka connection, ConsumerGroupHeartbeatRequestData request) {
        return connection.call(ApiKeys.CONSUMER_GROUP_HEARTBEAT, 1, request, ConsumerGroupHeartbeatResponseData.class);
    }
}
