package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.VirtualBrokers;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.utils.internals.ByteUtils;

/** Produce is passed; of its body only acks is read, since acks=0 is not answered. */
final class ProduceApi implements Api {
    private static final short FIRST_WITH_TRANSACTIONAL_ID = 3;
    private static final short FIRST_FLEXIBLE = 9;

    private final VirtualBrokers brokers;

    ProduceApi(VirtualBrokers brokers) {
        this.brokers = brokers;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.PRODUCE;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        if (acks(request) == 0) {
            return Route.Pass.UNANSWERED;
        }
        return request.version() < AddressRewrites.FIRST_PRODUCE_WITH_ENDPOINTS
                ? Route.Pass.UNREAD
                : Route.Pass.rewritten(Rewriting.rewrite(
                        key(),
                        request.version(),
                        answer -> AddressRewrites.produce(brokers, (ProduceResponseData) answer)));
    }

    private static short acks(KafkaRequest request) throws MalformedRequestException {
        ByteBuffer body = request.bodyBytes();
        try {
            if (request.version() >= FIRST_FLEXIBLE) {
                skip(body, ByteUtils.readUnsignedVarint(body) - 1);
            } else if (request.version() >= FIRST_WITH_TRANSACTIONAL_ID) {
                skip(body, body.getShort());
            }
            return body.getShort();
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw new MalformedRequestException("a Produce request without acks", e);
        }
    }

    private static void skip(ByteBuffer body, int bytes) {
        body.position(body.position() + Math.max(bytes, 0));
    }
}
