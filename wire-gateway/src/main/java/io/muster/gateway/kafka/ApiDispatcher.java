package io.muster.gateway.kafka;

import io.muster.gateway.kafka.order.Concern;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** Finds the API of a request; what has none is passed through unread. */
public final class ApiDispatcher {
    private final Map<ApiKeys, Api> apis = new EnumMap<>(ApiKeys.class);

    /** @param apis at most one for each key */
    public ApiDispatcher(List<Api> apis) {
        for (Api api : apis) {
            if (this.apis.put(api.key(), api) != null) {
                throw new IllegalArgumentException("two classes for " + api.key());
            }
        }
    }

    /** What the order of the connection depends on; throws if the connection must be closed. */
    public Concern concern(KafkaRequest request) throws MalformedRequestException {
        Api api = apis.get(request.api());
        return api == null ? Concern.NONE : api.concern(request);
    }

    /** The answer to a request whose turn did not come in time, if it is not to go on; throws if the connection must be closed. */
    public Optional<ApiMessage> late(KafkaRequest request) throws MalformedRequestException {
        Api api = apis.get(request.api());
        return api == null ? Optional.empty() : api.late(request);
    }

    /** @throws MalformedRequestException if the connection must be closed */
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        Api api = apis.get(request.api());
        return api == null ? Route.Pass.UNREAD : api.route(request, session);
    }
}
