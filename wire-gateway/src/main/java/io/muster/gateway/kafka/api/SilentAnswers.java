package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorResponses;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * Requests of consumers that are passed, and answered here while the broker is silent, in a way that makes clients ask again. They
 * would otherwise hold up the replies behind them on their connection, by which a member finds its coordinator.
 *
 * @param whenSilent the answer to a request; empty if there is none that its version can say
 */
record SilentAnswers(Api api, Function<KafkaRequest, Optional<Supplier<ApiMessage>>> whenSilent) implements Api {
    private static final short FIRST_FETCH_WITH_TOPIC_IDS = 13;

    /** No brokers and no topics: clients take it for an answer that is still to come, and keep what they know. */
    static Api metadata(Api api) {
        return new SilentAnswers(api, request -> Optional.of(MetadataResponseData::new));
    }

    /**
     * The one error of a whole fetch that has a consumer ask for new metadata: another broker may lead its partitions by now. Older
     * versions do not know it; the end of their connection has the same effect.
     */
    static Api fetch(Api api) {
        return new SilentAnswers(
                api,
                request -> request.version() < FIRST_FETCH_WITH_TOPIC_IDS
                        ? Optional.empty()
                        : Optional.of(() ->
                                new FetchResponseData().setErrorCode(Errors.FETCH_SESSION_TOPIC_ID_ERROR.code())));
    }

    /** A question for leaders of partitions. */
    static Api ofLeaders(ApiKeys key) {
        return new SilentAnswers(
                new Unread(key),
                request -> request.readBody()
                        .map(body -> () -> ErrorResponses.of(request, body, Errors.LEADER_NOT_AVAILABLE)));
    }

    @Override
    public ApiKeys key() {
        return api.key();
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        Route route = api.route(request, session);
        Optional<Supplier<ApiMessage>> answer = whenSilent.apply(request);
        return route instanceof Route.Pass pass && answer.isPresent() ? pass.orWhenSilent(answer.get()) : route;
    }

    /** An API whose requests are passed as they are. */
    private record Unread(ApiKeys key) implements Api {
        @Override
        public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
            if (key.isVersionSupported(request.version())) {
                var unused = request.body(ApiMessage.class);
            }
            return Route.Pass.UNREAD;
        }
    }
}
