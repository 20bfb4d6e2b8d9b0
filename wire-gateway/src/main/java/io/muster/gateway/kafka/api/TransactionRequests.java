package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.order.Concern;
import io.muster.gateway.kafka.order.Concern.Kind;
import java.util.List;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Requests of a transaction: passed. Its end does not go before the connection's transactional commits, which would otherwise come to a
 * transaction that is over, and what the next transaction begins with does not go before the end.
 */
record TransactionRequests(ApiKeys key, Kind kind) implements Api {
    static List<Api> all() {
        return List.of(
                new TransactionRequests(ApiKeys.ADD_PARTITIONS_TO_TXN, Kind.TRANSACTION_PART),
                new TransactionRequests(ApiKeys.ADD_OFFSETS_TO_TXN, Kind.TRANSACTION_PART),
                new TransactionRequests(ApiKeys.END_TXN, Kind.TRANSACTION_END),
                new TransactionRequests(ApiKeys.INIT_PRODUCER_ID, Kind.TRANSACTION_END));
    }

    @Override
    public Concern concern(KafkaRequest request) {
        return Concern.ofAllGroups(kind, true);
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) {
        return Route.Pass.UNREAD;
    }
}
