package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Consumer groups and the answers to their heartbeats, in what is the same whichever partitions a member has. */
final class ConsumerPictures {
    private ConsumerPictures() {}

    static GroupPicture of(JsonNode group, RandomTarget target) {
        GroupPicture.Painter painter = new GroupPicture.Painter();
        TreeMap<String, String> profiles = new TreeMap<>();
        for (JsonNode member : group.path("members")) {
            String name = target.stable(member.path("memberId").asText());
            profiles.put(name, profile(member, target));
            painter.subscribe(name, subscribed(member, target));
            painter.add(
                    name,
                    member.path("memberEpoch").asInt(),
                    partitions(member.path("assignment"), target),
                    partitions(member.path("targetAssignment"), target));
        }
        String facts = "error %s, group epoch %s, assignment epoch %s, %s %s"
                .formatted(
                        group.path("errorCode").asText(),
                        group.path("groupEpoch").asText(),
                        group.path("assignmentEpoch").asText(),
                        group.path("assignorName").asText(),
                        profiles);
        return painter.paint(facts, group.path("groupState").asText());
    }

    private static String profile(JsonNode member, RandomTarget target) {
        return "%s %s %s %s %s"
                .formatted(
                        member.path("instanceId").asText(),
                        member.path("rackId").asText(),
                        subscribed(member, target),
                        target.plain(member.path("subscribedTopicRegex").asText()),
                        member.path("memberType").asText());
    }

    private static Set<String> subscribed(JsonNode member, RandomTarget target) {
        TreeSet<String> topics = new TreeSet<>();
        member.path("subscribedTopicNames").forEach(topic -> topics.add(target.plain(topic.asText())));
        return topics;
    }

    private static List<String> partitions(JsonNode assignment, RandomTarget target) {
        List<String> partitions = new ArrayList<>();
        for (JsonNode topic : assignment.path("topicPartitions")) {
            String name = target.plain(topic.path("topicName").asText());
            topic.path("partitions").forEach(partition -> partitions.add(name + "/" + partition.asInt()));
        }
        return partitions;
    }

    /** The answer to a heartbeat. */
    static Words words(JsonNode answer, RandomTarget target) {
        TreeMap<String, Integer> assigned = new TreeMap<>();
        ArrayNode none = RandomTarget.NODES.arrayNode();
        JsonNode topics =
                answer.path("assignment").isObject() ? answer.path("assignment").path("topicPartitions") : none;
        topics.forEach(topic -> assigned.put(
                target.stable(topic.path("topicId").asText()),
                topic.path("partitions").size()));
        return new Words(
                answer.path("errorCode").asText(),
                answer.path("assignment").isNull() ? Words.AS_BEFORE : assigned.toString(),
                "member %s, epoch %s, interval %s"
                        .formatted(
                                target.stable(answer.path("memberId").asText()),
                                answer.path("memberEpoch").asText(),
                                answer.path("heartbeatIntervalMs").asText()));
    }
}
