package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.muster.cluster.conformance.RandomConsumers.Words;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ApiMessageType;

/** What random clients ask about a consumer group beside its heartbeats, or get wrong in them. */
final class RandomConsumerOthers {
    private final RandomTarget target;

    RandomConsumerOthers(RandomTarget target) {
        this.target = target;
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
        return new Words(errors(answer.path("topics")), "");
    }

    Words fetch(RandomConsumer member, RandomStep step) throws IOException {
        ObjectNode body = RandomTarget.NODES.objectNode();
        ObjectNode group = body.putArray("groups").addObject().put("groupId", target.unique("g"));
        group.put("memberId", member.id()).put("memberEpoch", epochOf(member, step.oneOf(5)));
        group.putArray("topics")
                .addObject()
                .put("name", target.unique("foo"))
                .putArray("partitionIndexes")
                .add(0);
        JsonNode answer =
                target.call(ApiMessageType.OFFSET_FETCH, 9, body).path("groups").path(0);
        return new Words(answer.path("errorCode").asText(), errors(answer.path("topics")));
    }

    private static int epochOf(RandomConsumer member, int choice) {
        return switch (choice) {
            case 0 -> member.epoch() + 1;
            case 1 -> member.isSettled() ? member.epoch() : Math.max(0, member.epoch() - 1);
            case 2 -> -1;
            default -> member.epoch();
        };
    }

    private static String errors(JsonNode topics) {
        List<String> errors = new ArrayList<>();
        for (JsonNode topic : topics) {
            topic.path("partitions")
                    .forEach(each -> errors.add(each.path("errorCode").asText()));
        }
        errors.sort(null);
        return errors.toString();
    }

    Words otherProtocol(RandomConsumer member, RandomStep step) throws IOException {
        String group = target.unique("g");
        ObjectNode body = RandomTarget.NODES.objectNode().put("groupId", group);
        return switch (step.oneOf(4)) {
            case 0 ->
                error(
                        ApiMessageType.SHARE_GROUP_HEARTBEAT,
                        1,
                        body.put("memberId", target.memberId("sharer")).put("memberEpoch", 1));
            case 1 ->
                error(
                        ApiMessageType.STREAMS_GROUP_HEARTBEAT,
                        1,
                        body.put("memberId", member.id()).put("memberEpoch", 1));
            case 2 ->
                error(ApiMessageType.HEARTBEAT, 4, body.put("generationId", 1).put("memberId", "classic"));
            default -> {
                body.putArray("members").addObject().put("memberId", "classic").putNull("groupInstanceId");
                JsonNode answer = target.call(ApiMessageType.LEAVE_GROUP, 5, body);
                yield new Words(
                        answer.path("errorCode").asText(),
                        answer.path("members").path(0).path("errorCode").asText());
            }
        };
    }

    private Words error(ApiMessageType api, int version, ObjectNode body) throws IOException {
        return new Words(target.call(api, version, body).path("errorCode").asText(), "");
    }

    Words look(RandomStep step) throws IOException {
        String group = target.unique("g");
        ObjectNode body = RandomTarget.NODES.objectNode();
        return switch (step.oneOf(5)) {
            case 0 -> {
                body.putArray("groups").add(group);
                yield described(ApiMessageType.DESCRIBE_GROUPS, 6, body);
            }
            case 1 -> {
                body.putArray("groups").add(group);
                yield described(ApiMessageType.DESCRIBE_GROUPS, 5, body);
            }
            case 2 -> {
                body.putArray("groupIds").add(group);
                yield described(ApiMessageType.STREAMS_GROUP_DESCRIBE, 1, body);
            }
            case 3 -> {
                body.putArray("groupIds").add(group);
                yield described(ApiMessageType.SHARE_GROUP_DESCRIBE, 1, body);
            }
            default -> {
                body.putArray("statesFilter");
                body.putArray("typesFilter").add("consumer");
                yield listed(target.call(ApiMessageType.LIST_GROUPS, 5, body));
            }
        };
    }

    private Words described(ApiMessageType api, int version, ObjectNode body) throws IOException {
        JsonNode group = target.call(api, version, body).path("groups").path(0);
        return new Words(
                group.path("errorCode").asText(), group.path("groupState").asText());
    }

    private Words listed(JsonNode answer) {
        List<String> found = new ArrayList<>();
        for (JsonNode group : answer.path("groups")) {
            if (group.path("groupId").asText().equals(target.unique("g"))) {
                found.add("%s %s %s"
                        .formatted(
                                group.path("protocolType").asText(),
                                group.path("groupType").asText(),
                                group.path("groupState").asText()));
            }
        }
        return new Words(answer.path("errorCode").asText(), found.toString());
    }

    Words deleteGroup() throws IOException {
        ObjectNode body = RandomTarget.NODES.objectNode();
        body.putArray("groupsNames").add(target.unique("g"));
        JsonNode answer = target.call(ApiMessageType.DELETE_GROUPS, 2, body);
        return new Words(answer.path("results").path(0).path("errorCode").asText(), "");
    }
}
