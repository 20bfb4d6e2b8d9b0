package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.ErrorResponses;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.LiveBrokers;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * Requests of consumers that are passed, and answered here while the broker is silent, in a way that makes clients ask again. They
 * would otherwise hold up the replies behind them on their connection, by which a member finds its coordinator.
 *
 * @param whenSilent what the sender of a request hears; empty if there is nothing that its version can say
 */
record SilentAnswers(Api api, BiFunction<KafkaRequest, ClientSession, Optional<Route.WhenSilent>> whenSilent)
        implements Api {
    private static final short FIRST_FETCH_WITH_TOPIC_IDS = 13;

    /**
     * The end of the connection, by which clients ask another broker; they would ask this one again and again for as long as it seems
     * to answer. If there is no other, {@link #withoutBrokers}.
     */
    static Api metadata(Api api, LiveBrokers live) {
        return new SilentAnswers(
                new Read(api),
                (request, session) -> Optional.of(() ->
                        live.otherThan(session.brokerId()).isPresent() ? Optional.empty() : withoutBrokers(request)));
    }

    /**
     * No brokers, and no leader of any topic that was asked for: clients take it for an answer that is still to come, and keep what they
     * know. Whoever asks for all topics would be told that there are none: the end of the connection is a failure that is retried.
     */
    private static Optional<ApiMessage> withoutBrokers(KafkaRequest request) {
        return request.readBody()
                .map(MetadataRequestData.class::cast)
                .filter(asked -> !isForAllTopics(asked, request.version()))
                .map(asked -> asked.topics().isEmpty()
                        ? new MetadataResponseData()
                        : ErrorResponses.of(request, asked, Errors.LEADER_NOT_AVAILABLE));
    }

    private static boolean isForAllTopics(MetadataRequestData asked, short version) {
        return asked.topics() == null || (version == 0 && asked.topics().isEmpty());
    }

    /**
     * The one error of a whole fetch that has a consumer ask for new metadata: another broker may lead its partitions by now. Older
     * versions do not know it; the end of their connection has the same effect.
     */
    static Api fetch(Api api) {
        return new SilentAnswers(
                api,
                (request, session) -> request.version() < FIRST_FETCH_WITH_TOPIC_IDS
                        ? Optional.empty()
                        : Optional.of(() -> Optional.of(
                                new FetchResponseData().setErrorCode(Errors.FETCH_SESSION_TOPIC_ID_ERROR.code()))));
    }

    /** A question for leaders of partitions. */
    static Api ofLeaders(ApiKeys key) {
        return new SilentAnswers(
                new Read(new Unread(key)),
                (request, session) -> request.readBody()
                        .map(body -> () -> Optional.of(ErrorResponses.of(request, body, Errors.LEADER_NOT_AVAILABLE))));
    }

    @Override
    public ApiKeys key() {
        return api.key();
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        Route route = api.route(request, session);
        Optional<Route.WhenSilent> heard = whenSilent.apply(request, session);
        return route instanceof Route.Pass pass && heard.isPresent() ? pass.orWhenSilent(heard.get()) : route;
    }

    /** An API whose requests are passed as they are. */
    private record Unread(ApiKeys key) implements Api {
        @Override
        public Route route(KafkaRequest request, ClientSession session) {
            return Route.Pass.UNREAD;
        }
    }

    /** An API whose requests are read besides, in versions that are known here. */
    private record Read(Api api) implements Api {
        @Override
        public ApiKeys key() {
            return api.key();
        }

        @Override
        public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
            if (key().isVersionSupported(request.version())) {
                var unused = request.body(ApiMessage.class);
            }
            return api.route(request, session);
        }
    }
}
