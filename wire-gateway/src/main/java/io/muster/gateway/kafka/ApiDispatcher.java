package io.muster.gateway.kafka;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;

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

    /** @throws MalformedRequestException if the connection must be closed */
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        Api api = apis.get(request.api());
        return api == null ? Route.Pass.UNREAD : api.route(request, session);
    }
}
