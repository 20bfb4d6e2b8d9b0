package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * EndTxn and InitProducerId: passed, but not before the connection's transactional commits, which would otherwise come to a
 * transaction that is over.
 */
public record TransactionEnds(ApiKeys key) implements Api {
    @Override
    public Concern concern(KafkaRequest request) {
        return Concern.ofAllGroups(Concern.Kind.TRANSACTION_END, true);
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) {
        return Route.Pass.UNREAD;
    }
}
