package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ApiMessageType;

/**
 * What anybody may ask about a group, whichever kind it is of.
 *
 * @param type of the group, as ListGroups spells it
 */
record GroupQuestions(RandomTarget target, String type) {
    private static final int OFFSET_FETCH_BY_NAME = 9;

    Words fetch(String memberId, int epoch) throws IOException {
        ObjectNode body = RandomTarget.NODES.objectNode();
        ObjectNode group = body.putArray("groups").addObject().put("groupId", target.unique("g"));
        group.put("memberId", memberId).put("memberEpoch", epoch);
        group.putArray("topics")
                .addObject()
                .put("name", target.unique("foo"))
                .putArray("partitionIndexes")
                .add(0);
        JsonNode answer = target.call(ApiMessageType.OFFSET_FETCH, OFFSET_FETCH_BY_NAME, body)
                .path("groups")
                .path(0);
        return new Words(answer.path("errorCode").asText(), errors(answer.path("topics")));
    }

    /** The error of each partition, in order. */
    static String errors(JsonNode topics) {
        List<String> errors = new ArrayList<>();
        for (JsonNode topic : topics) {
            topic.path("partitions")
                    .forEach(each -> errors.add(each.path("errorCode").asText()));
        }
        errors.sort(null);
        return errors.toString();
    }

    /** @param modern the heartbeat of another modern kind of group */
    Words otherProtocol(String memberId, ApiMessageType modern, RandomStep step) throws IOException {
        ObjectNode body = RandomTarget.NODES.objectNode().put("groupId", target.unique("g"));
        return switch (step.oneOf(4)) {
            case 0 ->
                error(
                        ApiMessageType.SHARE_GROUP_HEARTBEAT,
                        1,
                        body.put("memberId", target.memberId("sharer")).put("memberEpoch", 1));
            case 1 -> error(modern, 1, body.put("memberId", memberId).put("memberEpoch", 1));
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

    /** @param modern describes another modern kind of group */
    Words look(ApiMessageType modern, RandomStep step) throws IOException {
        return switch (step.oneOf(5)) {
            case 0 -> described(ApiMessageType.DESCRIBE_GROUPS, 6, "groups");
            case 1 -> described(ApiMessageType.DESCRIBE_GROUPS, 5, "groups");
            case 2 -> described(modern, 1, "groupIds");
            case 3 -> described(ApiMessageType.SHARE_GROUP_DESCRIBE, 1, "groupIds");
            default -> listed();
        };
    }

    private Words described(ApiMessageType api, int version, String field) throws IOException {
        ObjectNode body = RandomTarget.NODES.objectNode();
        body.putArray(field).add(target.unique("g"));
        JsonNode group = target.call(api, version, body).path("groups").path(0);
        return new Words(
                group.path("errorCode").asText(), group.path("groupState").asText());
    }

    private Words listed() throws IOException {
        ObjectNode body = RandomTarget.NODES.objectNode();
        body.putArray("statesFilter");
        body.putArray("typesFilter").add(type);
        JsonNode answer = target.call(ApiMessageType.LIST_GROUPS, 5, body);
        return new Words(answer.path("errorCode").asText(), found(answer, target));
    }

    /** What a listing says of the group. */
    static String found(JsonNode answer, RandomTarget target) {
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
        return found.toString();
    }

    Words deleteGroup() throws IOException {
        ObjectNode body = RandomTarget.NODES.objectNode();
        body.putArray("groupsNames").add(target.unique("g"));
        JsonNode answer = target.call(ApiMessageType.DELETE_GROUPS, 2, body);
        return new Words(answer.path("results").path(0).path("errorCode").asText(), "");
    }
}
