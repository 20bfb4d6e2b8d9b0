package io.muster.gateway.kafka;

import org.apache.kafka.common.protocol.ApiKeys;

/** One Kafka API that is not simply passed through. Shared by all connections. */
public interface Api {
    ApiKeys key();

    /**
     * Decides what becomes of a request. Called on the connection's event loop in the order of the requests; must not block.
     *
     * @throws MalformedRequestException if the connection must be closed
     */
    Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException;
}
