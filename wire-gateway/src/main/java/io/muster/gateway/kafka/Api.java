package io.muster.gateway.kafka;

import io.muster.gateway.kafka.order.Concern;
import java.util.Optional;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** One Kafka API that is not simply passed through. Shared by all connections. */
public interface Api {
    ApiKeys key();

    /**
     * What the order of the connection depends on. Called on the connection's event loop as soon as the request is there; must not
     * block.
     *
     * @throws MalformedRequestException if the connection must be closed
     */
    default Concern concern(KafkaRequest request) throws MalformedRequestException {
        return Concern.NONE;
    }

    /**
     * Decides what becomes of a request, once its turn has come. Called on the connection's event loop; must not block.
     *
     * @throws MalformedRequestException if the connection must be closed
     */
    Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException;

    /**
     * The answer to a request whose turn did not come in time; empty if it loses less to go on all the same.
     *
     * @throws MalformedRequestException if the connection must be closed
     */
    default Optional<ApiMessage> late(KafkaRequest request) throws MalformedRequestException {
        return Optional.empty();
    }
}
