package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.kafka.common.message.ApiMessageType;

/**
 * The requests of pipelines, as the members of one group make them on one target.
 *
 * @param type of the group, as ListGroups spells it
 */
record PipelinedRequests(RandomTarget target, String type, ApiMessageType heartbeat, ApiMessageType describe) {
    static final String GROUP = "g";

    /** A group without members, whose offsets the same clients commit. */
    static final String OTHERS = "others";

    /** Partitions of the topic that all members read. */
    static final int PARTITIONS = 4;

    private static final String READ = "foo";
    private static final String UNREAD = "bar";
    private static final int BY_NAME = 9;
    private static final int BY_ID = 10;

    /** The requests of a pipeline by members, in its order. */
    List<PipelinedRequest> of(
            Pipeline pipeline, List<? extends RandomMember> members, PipelinedTransaction transaction) {
        List<PipelinedRequest> requests = new ArrayList<>();
        for (Pipeline.Item item : pipeline.items()) {
            long offset = pipeline.offset(requests.size());
            requests.add(one(item.action(), members.get(item.member()), new Commit(pipeline, offset, transaction)));
        }
        return requests;
    }

    /** What a commit says beside who it is from. */
    private record Commit(Pipeline pipeline, long offset, PipelinedTransaction transaction) {}

    private PipelinedRequest one(PipelinedAction action, RandomMember member, Commit commit) {
        return switch (action) {
            case JOIN -> heartbeat(member.asJoining());
            case HEARTBEAT -> heartbeat(member.heartbeat());
            case ACKNOWLEDGE -> heartbeat(member.heartbeat(member.assigned()));
            case LEAVE -> heartbeat(member.heartbeat().put("memberEpoch", member.isStatic() ? -2 : -1));
            case COMMIT_BY_NAME -> commit(BY_NAME, committing(member), member, commit);
            case COMMIT_BY_ID -> commit(BY_ID, committing(member), member, commit);
            case COMMIT_IN_TRANSACTION -> inTransaction(member, commit);
            case COMMIT_WITHOUT_MEMBER -> commit(BY_NAME, group(GROUP), member, commit);
            case COMMIT_OF_OTHERS -> commit(BY_NAME, group(OTHERS), member, commit);
            case FETCH -> fetch(GROUP, commit.pipeline(), false);
            case FETCH_OF_OTHERS -> fetch(OTHERS, commit.pipeline(), false);
            case DELETE_OFFSETS -> deleteOffsets();
            case DELETE_GROUP -> named(ApiMessageType.DELETE_GROUPS, 2, "groupsNames");
            case DESCRIBE -> named(describe, 1, "groupIds");
            case LIST -> list();
        };
    }

    private PipelinedRequest heartbeat(ObjectNode body) {
        return new PipelinedRequest(heartbeat, 1, body);
    }

    private ObjectNode group(String name) {
        return RandomTarget.NODES.objectNode().put("groupId", target.unique(name));
    }

    private ObjectNode committing(RandomMember member) {
        return group(GROUP).put("memberId", member.id()).put("generationIdOrMemberEpoch", member.epoch());
    }

    /** Commits what the member has of the topic that it reads, of one that it does not read, and of a new one. */
    private PipelinedRequest commit(int version, ObjectNode body, RandomMember member, Commit commit) {
        fillTopics(body, version == BY_ID, member, commit);
        return new PipelinedRequest(ApiMessageType.OFFSET_COMMIT, version, body);
    }

    private PipelinedRequest inTransaction(RandomMember member, Commit commit) {
        ObjectNode body = commit.transaction().naming(committing(member));
        fillTopics(body, false, member, commit);
        return new PipelinedRequest(ApiMessageType.TXN_OFFSET_COMMIT, 3, body);
    }

    private void fillTopics(ObjectNode body, boolean byId, RandomMember member, Commit commit) {
        ArrayNode topics = body.putArray("topics");
        fillTopic(topics.addObject(), byId, UNREAD).add(partition(0, commit.offset()));
        if (commit.pipeline().begin().topic()) {
            fillTopic(topics.addObject(), byId, newTopic(commit.pipeline())).add(partition(0, commit.offset()));
        }
        List<Integer> owned = partitionsOf(member);
        if (!owned.isEmpty()) {
            ArrayNode partitions = fillTopic(topics.addObject(), byId, READ);
            owned.forEach(each -> partitions.add(partition(each, commit.offset())));
        }
    }

    private ArrayNode fillTopic(ObjectNode topic, boolean byId, String name) {
        if (byId) {
            topic.put("topicId", target.topicId(name));
        } else {
            topic.put("name", target.unique(name));
        }
        return topic.putArray("partitions");
    }

    private static ObjectNode partition(int number, long offset) {
        return RandomTarget.NODES
                .objectNode()
                .put("partitionIndex", number)
                .put("committedOffset", offset)
                .put("committedLeaderEpoch", -1)
                .put("committedMetadata", "");
    }

    /** The partitions of the topic that it reads, or the tasks of the subtopology that reads it. */
    private List<Integer> partitionsOf(RandomMember member) {
        TreeSet<Integer> partitions = new TreeSet<>();
        JsonNode all = member.assigned();
        for (JsonNode each : all.isArray() ? all : all.path("activeTasks")) {
            boolean read = all.isArray()
                    ? each.path("topicId").asText().equals(target.topicId(READ))
                    : each.path("subtopologyId").asText().equals("0");
            if (read) {
                each.path("partitions").forEach(partition -> partitions.add(partition.asInt()));
            }
        }
        return List.copyOf(partitions);
    }

    /** The name of the topic that is new in a pipeline. */
    static String newTopic(Pipeline pipeline) {
        return "new" + pipeline.number();
    }

    PipelinedRequest fetch(String group, Pipeline pipeline, boolean stable) {
        ObjectNode body = RandomTarget.NODES.objectNode().put("requireStable", stable);
        ArrayNode topics = body.putArray("groups")
                .addObject()
                .put("groupId", target.unique(group))
                .putArray("topics");
        fetched(topics, READ, PARTITIONS);
        fetched(topics, UNREAD, 1);
        if (pipeline.begin().topic()) {
            fetched(topics, newTopic(pipeline), 1);
        }
        return new PipelinedRequest(ApiMessageType.OFFSET_FETCH, BY_NAME, body);
    }

    private void fetched(ArrayNode topics, String name, int count) {
        ArrayNode partitions =
                topics.addObject().put("name", target.unique(name)).putArray("partitionIndexes");
        for (int i = 0; i < count; i++) {
            partitions.add(i);
        }
    }

    private PipelinedRequest deleteOffsets() {
        ObjectNode body = group(GROUP);
        ArrayNode topics = body.putArray("topics");
        deleted(topics, READ, PARTITIONS);
        deleted(topics, UNREAD, 1);
        return new PipelinedRequest(ApiMessageType.OFFSET_DELETE, 0, body);
    }

    private void deleted(ArrayNode topics, String name, int count) {
        ArrayNode partitions =
                topics.addObject().put("name", target.unique(name)).putArray("partitions");
        for (int i = 0; i < count; i++) {
            partitions.addObject().put("partitionIndex", i);
        }
    }

    private PipelinedRequest named(ApiMessageType api, int version, String field) {
        ObjectNode body = RandomTarget.NODES.objectNode();
        body.putArray(field).add(target.unique(GROUP));
        return new PipelinedRequest(api, version, body);
    }

    private PipelinedRequest list() {
        ObjectNode body = RandomTarget.NODES.objectNode();
        body.putArray("statesFilter");
        body.putArray("typesFilter").add(type);
        return new PipelinedRequest(ApiMessageType.LIST_GROUPS, 5, body);
    }

    /** The last request of a pipeline whose answers nobody reads: once it shows, all before it was carried out. */
    PipelinedRequest mark(Pipeline pipeline) {
        ObjectNode body = group("mark");
        long offset = pipeline.firstOffset();
        fillTopic(body.putArray("topics").addObject(), false, UNREAD).add(partition(0, offset));
        return new PipelinedRequest(ApiMessageType.OFFSET_COMMIT, BY_NAME, body);
    }

    /** Whether the mark shows. */
    boolean isMarked(Pipeline pipeline) throws IOException {
        PipelinedRequest fetch = fetch("mark", pipeline, false);
        JsonNode answer = target.call(fetch.api(), fetch.version(), fetch.body());
        return PipelinedAnswers.offsets(answer, pipeline).contains(Long.toString(pipeline.firstOffset()));
    }
}
