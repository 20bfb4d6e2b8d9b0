package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.apache.kafka.common.message.ApiMessageType;

/** What random clients ask about a consumer group beside its heartbeats, or get wrong in them. */
final class RandomConsumerOthers {
    private final RandomTarget target;
    private final GroupQuestions questions;

    RandomConsumerOthers(RandomTarget target) {
        this.target = target;
        this.questions = new GroupQuestions(target, "consumer");
    }

    ObjectNode invalid(RandomConsumer member, RandomStep step) {
        ObjectNode body = member.full(member.assigned());
        return switch (step.oneOf(10)) {
            case 0 -> body.put("memberId", "");
            case 1 -> body.put("memberEpoch", -3);
            case 2 -> body.put("rackId", " ");
            case 3 -> body.put("instanceId", "");
            case 4 -> body.put("serverAssignor", "nobodys");
            case 5 -> body.put("subscribedTopicRegex", "fo[o");
            case 6 -> body.put("memberEpoch", 0).put("rebalanceTimeoutMs", -1);
            case 7 -> body.put("memberEpoch", 0).putNull("topicPartitions");
            case 8 -> body.put("memberEpoch", 0).putNull("subscribedTopicNames");
            default -> body.put("memberEpoch", -2).putNull("instanceId");
        };
    }

    /** Commits all that the member was assigned. */
    Words commit(RandomConsumer member, RandomStep step) throws IOException {
        ObjectNode body = RandomTarget.NODES.objectNode().put("groupId", target.unique("g"));
        body.put("memberId", step.oneOf(7) == 6 ? "" : member.id());
        body.put("generationIdOrMemberEpoch", epochOf(member, step.oneOf(5)));
        ArrayNode topics = body.putArray("topics");
        for (JsonNode topic : member.assigned()) {
            ArrayNode partitions = topics.addObject()
                    .put("topicId", topic.path("topicId").asText())
                    .putArray("partitions");
            topic.path("partitions")
                    .forEach(partition -> partitions
                            .addObject()
                            .put("partitionIndex", partition.asInt())
                            .put("committedOffset", 0)
                            .put("committedLeaderEpoch", -1)
                            .put("committedMetadata", ""));
        }
        if (topics.isEmpty()) {
            return Words.NOTHING;
        }
        JsonNode answer = target.call(ApiMessageType.OFFSET_COMMIT, 10, body);
        return new Words(GroupQuestions.errors(answer.path("topics")), "");
    }

    Words fetch(RandomConsumer member, RandomStep step) throws IOException {
        return questions.fetch(member.id(), epochOf(member, step.oneOf(5)));
    }

    private static int epochOf(RandomConsumer member, int choice) {
        return switch (choice) {
            case 0 -> member.epoch() + 1;
            case 1 -> member.isSettled() ? member.epoch() : Math.max(0, member.epoch() - 1);
            case 2 -> -1;
            default -> member.epoch();
        };
    }

    Words otherProtocol(RandomConsumer member, RandomStep step) throws IOException {
        return questions.otherProtocol(member.id(), ApiMessageType.STREAMS_GROUP_HEARTBEAT, step);
    }

    Words look(RandomStep step) throws IOException {
        return questions.look(ApiMessageType.STREAMS_GROUP_DESCRIBE, step);
    }

    Words deleteGroup() throws IOException {
        return questions.deleteGroup();
    }
}
