package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.Errors;

/** Answers to pipelined requests, in what is the same whichever partitions a member has. */
record PipelinedAnswers(PipelinedRequests requests, Pipeline pipeline) {
    /** All answers in their order, and what the group's offsets are in the end. */
    Words of(List<PipelinedRequest> sent, List<JsonNode> answers, String end) {
        List<String> errors = new ArrayList<>();
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            ApiMessageType api = sent.get(i).api();
            JsonNode answer = answers.get(i);
            errors.add(api.name + errors(answer));
            rest.add(rest(api, answer));
        }
        return new Words(errors.toString(), pipeline.items() + " " + rest + ", " + end);
    }

    /** Each error once: how many partitions a member commits depends on how many it has. */
    private static TreeSet<String> errors(JsonNode answer) {
        TreeSet<String> errors = new TreeSet<>();
        answer.findValues("errorCode")
                .forEach(code -> errors.add(Errors.forCode((short) code.asInt()).name()));
        return errors;
    }

    private String rest(ApiMessageType api, JsonNode answer) {
        return switch (api) {
            case OFFSET_FETCH -> offsets(answer, pipeline);
            case LIST_GROUPS -> GroupQuestions.found(answer, requests.target());
            case CONSUMER_GROUP_HEARTBEAT, STREAMS_GROUP_HEARTBEAT -> epoch(answer, "memberEpoch");
            case CONSUMER_GROUP_DESCRIBE, STREAMS_GROUP_DESCRIBE ->
                described(answer.path("groups").path(0));
            default -> "";
        };
    }

    private String described(JsonNode group) {
        TreeMap<String, String> members = new TreeMap<>();
        for (JsonNode member : group.path("members")) {
            members.put(requests.target().stable(member.path("memberId").asText()), epoch(member, "memberEpoch"));
        }
        return group.path("groupState").asText() + ", " + epoch(group, "groupEpoch") + members;
    }

    private static String epoch(JsonNode of, String field) {
        return "epoch " + of.path(field).asText();
    }

    /** The offsets of each topic that the pipeline committed, each once; those of earlier pipelines do not count. */
    static String offsets(JsonNode answer, Pipeline pipeline) {
        TreeMap<String, TreeSet<Long>> offsets = new TreeMap<>();
        for (JsonNode topic : answer.path("groups").path(0).path("topics")) {
            for (JsonNode partition : topic.path("partitions")) {
                long offset = partition.path("committedOffset").asLong();
                if (offset >= pipeline.firstOffset()) {
                    offsets.computeIfAbsent(topic.path("name").asText().split("-", 2)[0], name -> new TreeSet<>())
                            .add(offset);
                }
            }
        }
        return offsets.toString();
    }
}
