package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * A request that is sent in one write with others.
 *
 * @param body what it says; what it leaves out has its default
 */
record PipelinedRequest(ApiMessageType api, int version, ObjectNode body) {
    ApiMessage message() {
        return JsonMessages.request(api, body.deepCopy(), (short) version);
    }
}
