package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.apache.kafka.common.message.ApiMessageType;

/** What random clients ask about a consumer group beside its heartbeats, or get wrong in them. */
final class RandomConsumerOthers extends RandomOthers<RandomConsumer> {
    private static final int OFFSET_COMMIT_BY_ID = 10;

    private final RandomTarget target;

    RandomConsumerOthers(RandomTarget target) {
        super(target, "consumer", ApiMessageType.STREAMS_GROUP_HEARTBEAT, ApiMessageType.STREAMS_GROUP_DESCRIBE);
        this.target = target;
    }

    @Override
    ObjectNode stranger(RandomConsumer member, RandomStep step) {
        ObjectNode body = member.heartbeat();
        return switch (step.oneOf(4)) {
            case 0 -> body.put("memberId", target.memberId("stranger"));
            case 1 -> body.put("instanceId", "nobody");
            case 2 -> body.put("memberId", target.memberId("stranger")).put("memberEpoch", -1);
            default -> body.putNull("instanceId");
        };
    }

    @Override
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
    @Override
    Words commit(RandomConsumer member, RandomStep step) throws IOException {
        ObjectNode body = committing(member, step);
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
        JsonNode answer = target.call(ApiMessageType.OFFSET_COMMIT, OFFSET_COMMIT_BY_ID, body);
        return new Words(GroupQuestions.errors(answer.path("topics")), "");
    }

    @Override
    int epochOf(RandomConsumer member, RandomStep step) {
        return switch (step.oneOf(5)) {
            case 0 -> member.epoch() + 1;
            case 1 -> member.isSettled() ? member.epoch() : Math.max(0, member.epoch() - 1);
            case 2 -> -1;
            default -> member.epoch();
        };
    }
}
