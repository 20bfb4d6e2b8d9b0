package io.muster.cluster.security;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** Heartbeats of consumers that may not read everything. */
final class HeartbeatQuestions {
    private HeartbeatQuestions() {}

    static void addTo(Map<String, Question> questions) {
        questions.put("joins", new Question(Requests.READER, on -> {
            joined(on, "open-2", "in");
            joined(on, "open-2", "shown");
            joined(on, "open-2", "secret");
            joined(on, "open-2", "absent");
            Requests.GROUPS.forEach(group -> joined(on, group, "in"));
            joined(on, "never-heard-of", "in");
        }));
        questions.put("heartbeats", new Question(Requests.READER, on -> {
            for (String group : List.of("open", "shown", "secret", "never-heard-of")) {
                ConsumerGroupHeartbeatRequestData request = new ConsumerGroupHeartbeatRequestData()
                        .setGroupId(group)
                        .setMemberId("stranger")
                        .setMemberEpoch(7);
                on.add(
                        group,
                        on.connection()
                                .call(
                                        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                                        1,
                                        request,
                                        ConsumerGroupHeartbeatResponseData.class)
                                .errorCode());
            }
        }));
    }

    private static void joined(Exchange on, String group, String topic) {
        ConsumerGroupHeartbeatResponseData answer = on.connection()
                .call(
                        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                        1,
                        join(group, "reader", List.of(topic)),
                        ConsumerGroupHeartbeatResponseData.class);
        on.add(group + " on " + topic, answer.errorCode());
        if (answer.errorCode() == 0) {
            var unused = on.connection()
                    .call(
                            ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                            1,
                            new ConsumerGroupHeartbeatRequestData()
                                    .setGroupId(group)
                                    .setMemberId("reader")
                                    .setMemberEpoch(-1),
                            ConsumerGroupHeartbeatResponseData.class);
        }
    }

    static ConsumerGroupHeartbeatRequestData join(String group, String member, List<String> topics) {
        return new ConsumerGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setMemberEpoch(0)
                .setRebalanceTimeoutMs(60_000)
                .setSubscribedTopicNames(topics)
                .setTopicPartitions(List.of());
    }
}
