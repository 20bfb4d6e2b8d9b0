package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.apache.kafka.common.message.ApiMessageType;

/**
 * What a transcript says of one step.
 *
 * @param step as the script has it
 * @param written filled as the step goes on
 */
record StepRecord(String id, JsonNode step, ObjectNode written) {
    static StepRecord of(String id, JsonNode step) {
        return new StepRecord(id, step, JsonNodeFactory.instance.objectNode().put("id", id));
    }

    /** Whether anything happened that the transcript keeps. */
    boolean isKept() {
        return written.size() > 1 && step.path("record").asBoolean(true);
    }

    void outcome(String outcome) {
        written.put("outcome", outcome);
    }

    /** Notes a response, without what the step says does not count. */
    void response(ApiMessageType api, short version, JsonNode response, Normaliser normaliser) {
        written.put("api", api.name);
        written.put("version", version);
        for (Map.Entry<String, JsonNode> each : step.path("decode").properties()) {
            JsonPaths.replace(
                    response,
                    each.getKey(),
                    bytes -> ClassicProtocol.decode(bytes, each.getValue().asText()));
        }
        ObjectNode normal = normaliser.normalise(response, api.name);
        step.path("ignore").forEach(pointer -> JsonPaths.remove(normal, pointer.asText()));
        step.path("counts").forEach(pointer -> JsonPaths.count(normal, pointer.asText()));
        step.path("only").forEach(choice -> JsonPaths.keepOnly(normal, choice));
        written.set("response", normal);
    }
}
