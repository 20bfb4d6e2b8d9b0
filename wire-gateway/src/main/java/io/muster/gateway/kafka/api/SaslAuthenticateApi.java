package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.Route;
import java.util.Optional;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** SaslAuthenticate is passed; the connection hears of the broker's answer. */
final class SaslAuthenticateApi implements Api {
    @Override
    public ApiKeys key() {
        return ApiKeys.SASL_AUTHENTICATE;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) {
        return Route.Pass.rewritten(body -> {
            session.authenticated(
                    (SaslAuthenticateResponseData) KafkaFrames.readResponse(body, key(), request.version()));
            return Optional.empty();
        });
    }
}
