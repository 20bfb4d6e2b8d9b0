package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.apache.kafka.common.message.ApiMessageType;

/** What random clients ask about a Streams group beside its heartbeats, or get wrong in them. */
final class RandomStreamsOthers extends RandomOthers<RandomInstance> {
    private static final int OFFSET_COMMIT_BY_NAME = 9;

    private final RandomTarget target;
    private final RandomTopology topology;

    RandomStreamsOthers(RandomTarget target, RandomTopology topology) {
        super(target, "streams", ApiMessageType.CONSUMER_GROUP_HEARTBEAT, ApiMessageType.CONSUMER_GROUP_DESCRIBE);
        this.target = target;
        this.topology = topology;
    }

    ObjectNode unknownTasks(RandomInstance member, RandomStep step) {
        ObjectNode owned = member.nothing();
        String role = step.oneOf(2) == 0 ? "activeTasks" : "standbyTasks";
        ObjectNode tasks = owned.withArray(role).addObject().put("subtopologyId", step.oneOf(3) == 0 ? "9" : "0");
        tasks.putArray("partitions").add(99);
        return member.heartbeat(owned);
    }

    ObjectNode taskOffsets(RandomInstance member, RandomStep step) {
        ObjectNode body = member.heartbeat();
        for (String field : new String[] {"taskOffsets", "taskEndOffsets"}) {
            body.putArray(field)
                    .addObject()
                    .put("subtopologyId", "0")
                    .put("partition", 0)
                    .put("offset", step.choice());
        }
        return body;
    }

    @Override
    ObjectNode stranger(RandomInstance member, RandomStep step) {
        ObjectNode body = member.heartbeat();
        return switch (step.oneOf(4)) {
            case 0 -> body.put("memberId", target.memberId("stranger")).putNull("instanceId");
            case 1 -> body.put("instanceId", "nobody");
            case 2 ->
                body.put("memberId", target.memberId("stranger"))
                        .put("memberEpoch", -1)
                        .putNull("instanceId");
            default -> body.putNull("instanceId");
        };
    }

    @Override
    ObjectNode invalid(RandomInstance member, RandomStep step) {
        ObjectNode body = member.asJoining();
        return switch (step.oneOf(10)) {
            case 0 -> body.put("memberId", "");
            case 1 -> body.put("memberEpoch", -3);
            case 2 -> body.putNull("activeTasks");
            case 3 -> body.putNull("topology");
            case 4 -> body.putNull("processId");
            case 5 -> body.put("rebalanceTimeoutMs", -1);
            case 6 -> body.put("instanceId", "");
            case 7 -> member.heartbeat(member.assigned()).putNull("standbyTasks");
            case 8 -> member.heartbeat(member.assigned()).set("topology", topology.asJson(target));
            default -> body.put("memberEpoch", -2).putNull("instanceId");
        };
    }

    @Override
    Words commit(RandomInstance member, RandomStep step) throws IOException {
        ObjectNode body = committing(member, step);
        ArrayNode topics = body.putArray("topics");
        topics.addObject()
                .put("name", target.unique("foo"))
                .putArray("partitions")
                .addObject()
                .put("partitionIndex", 0)
                .put("committedOffset", 0)
                .put("committedMetadata", "");
        JsonNode answer = target.call(ApiMessageType.OFFSET_COMMIT, OFFSET_COMMIT_BY_NAME, body);
        return new Words(GroupQuestions.errors(answer.path("topics")), "");
    }

    @Override
    int epochOf(RandomInstance member, RandomStep step) {
        return switch (step.oneOf(4)) {
            case 0 -> member.epoch() + 1;
            case 1 -> -1;
            default -> member.epoch();
        };
    }
}
