package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.Route;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * An API whose requests are passed, and whose responses are changed on the way.
 *
 * @param firstVersion older versions have nothing to change
 * @param change changes the response in place; false if nothing was to change
 */
record Rewriting(ApiKeys key, int firstVersion, Predicate<ApiMessage> change) implements Api {
    @Override
    public Route route(KafkaRequest request, ClientSession session) {
        return request.version() < firstVersion
                ? Route.Pass.UNREAD
                : Route.Pass.rewritten(rewrite(key, request.version(), change));
    }

    static Route.ResponseRewrite rewrite(ApiKeys key, short version, Predicate<ApiMessage> change) {
        return body -> {
            ApiMessage response = KafkaFrames.readResponse(body, key, version);
            return change.test(response) ? Optional.of(response) : Optional.empty();
        };
    }
}
