package io.muster.gateway.kafka;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;

/** What each upstream broker last said in answer to ApiVersions. Any thread. */
public final class UpstreamVersions {
    private final Map<Integer, ApiVersionsResponseData> byBroker = new ConcurrentHashMap<>();

    public void learn(int brokerId, ApiVersionsResponseData answer) {
        byBroker.put(brokerId, answer.duplicate());
    }

    /** The broker's last answer, as a copy; another broker's if it never gave one. */
    public Optional<ApiVersionsResponseData> of(int brokerId) {
        return find(brokerId).map(ApiVersionsResponseData::duplicate);
    }

    /** The newest version the broker has, -1 if it does not have the API; the newest of all if nothing is known yet. */
    public short max(int brokerId, ApiKeys api) {
        Optional<ApiVersionsResponseData> answer = find(brokerId);
        if (answer.isEmpty()) {
            return api.latestVersion();
        }
        ApiVersion range = answer.get().apiKeys().find(api.id);
        return range == null ? -1 : (short) Math.min(range.maxVersion(), api.latestVersion());
    }

    private Optional<ApiVersionsResponseData> find(int brokerId) {
        ApiVersionsResponseData own = byBroker.get(brokerId);
        return own != null ? Optional.of(own) : byBroker.values().stream().findFirst();
    }
}
