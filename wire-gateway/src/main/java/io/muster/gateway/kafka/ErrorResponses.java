package io.muster.gateway.kafka;

import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;

/** Answers that refuse whole requests, in the way that fits each API. */
public final class ErrorResponses {
    private ErrorResponses() {}

    /** The answer to a request with this body that says this error of everything in it. */
    public static ApiMessage of(KafkaRequest request, ApiMessage body, Errors error) {
        return AbstractRequest.parseRequest(
                        request.api(), request.version(), MessageUtil.toByteBufferAccessor(body, request.version()))
                .request
                .getErrorResponse(0, error.exception())
                .data();
    }
}
