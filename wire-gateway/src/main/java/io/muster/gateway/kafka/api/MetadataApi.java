package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.Route;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Metadata. Before a silent broker it is answered with no brokers and no topics, which clients take for an answer that is still to
 * come: they keep what they know and ask again. Otherwise it would hold up the questions behind it that can be answered.
 */
record MetadataApi(Rewriting rewriting) implements Api {
    @Override
    public ApiKeys key() {
        return rewriting.key();
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) {
        Route route = rewriting.route(request, session);
        return route instanceof Route.Pass pass ? pass.orWhenSilent(MetadataResponseData::new) : route;
    }
}
