package io.muster.gateway.kafka.api;

import io.muster.gateway.kafka.Api;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import io.muster.gateway.kafka.UpstreamVersions;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * ApiVersions: the client's own request goes upstream, and of the answer stays what Muster knows too, with the group APIs in
 * Muster's versions. Features are upstream's.
 */
final class ApiVersionsApi implements Api {
    /** Answered by Muster alone, whatever upstream has. */
    private static final Set<ApiKeys> ANSWERED = EnumSet.of(
            ApiKeys.CONSUMER_GROUP_HEARTBEAT,
            ApiKeys.CONSUMER_GROUP_DESCRIBE,
            ApiKeys.STREAMS_GROUP_HEARTBEAT,
            ApiKeys.STREAMS_GROUP_DESCRIBE,
            ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE);

    /** Asked upstream in a version that it has, so clients may use all of Muster's. */
    private static final Set<ApiKeys> LOWERED =
            EnumSet.of(ApiKeys.LIST_GROUPS, ApiKeys.DESCRIBE_GROUPS, ApiKeys.LIST_CONFIG_RESOURCES);

    /** The first version by which topics are found by id, so that an upstream that commits by name only can be told names. */
    private static final short METADATA_BY_ID = 12;

    /** Versions with a member epoch; the next ones name topics by id. */
    private static final short LAST_OFFSETS_BY_NAME = 9;

    /** From here on upstream adds partitions to transactions itself. */
    private static final short FIRST_THAT_ADDS_PARTITIONS = 5;

    private final UpstreamVersions versions;

    ApiVersionsApi(UpstreamVersions versions) {
        this.versions = versions;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.API_VERSIONS;
    }

    @Override
    public Route route(KafkaRequest request, ClientSession session) throws MalformedRequestException {
        if (!key().isVersionSupported(request.version())) {
            return Route.Answer.of(unsupported());
        }
        request.body(ApiVersionsRequestData.class);
        Route.Pass pass = Route.Pass.rewritten(
                body -> rewrite(body, request.version(), session.brokerId()).map(ApiVersionsResponseData.class::cast));
        return versions.of(session.brokerId()).isEmpty()
                ? pass
                : pass.orWhenAway(() -> shown(versions.of(session.brokerId()).orElseGet(ApiVersionsResponseData::new)));
    }

    /** Kafka answers any version with an error in version 0 that names this API only. */
    private ApiVersionsResponseData unsupported() {
        ApiVersionsResponseData answer = new ApiVersionsResponseData().setErrorCode(Errors.UNSUPPORTED_VERSION.code());
        answer.apiKeys().add(range(key()));
        return answer;
    }

    private Optional<ApiVersionsResponseData> rewrite(ByteBuffer body, short version, int brokerId) {
        if (body.getShort(body.position()) != Errors.NONE.code()) {
            return Optional.empty();
        }
        ApiVersionsResponseData answer =
                (ApiVersionsResponseData) KafkaFrames.readResponse(body, ApiKeys.API_VERSIONS, version);
        versions.learn(brokerId, answer);
        return Optional.of(shown(answer));
    }

    /** Upstream's answer as clients are to see it. */
    static ApiVersionsResponseData shown(ApiVersionsResponseData upstream) {
        ApiVersionCollection shown = new ApiVersionCollection();
        ApiVersion metadata = upstream.apiKeys().find(ApiKeys.METADATA.id);
        boolean namesById = metadata != null && metadata.maxVersion() >= METADATA_BY_ID;
        for (ApiVersion range : upstream.apiKeys()) {
            if (ApiKeys.hasId(range.apiKey()) && !ANSWERED.contains(ApiKeys.forId(range.apiKey()))) {
                ApiVersion both = intersection(range, ApiKeys.forId(range.apiKey()), namesById);
                if (both.minVersion() <= both.maxVersion()) {
                    shown.add(both);
                }
            }
        }
        ANSWERED.forEach(api -> shown.add(range(api)));
        return upstream.setApiKeys(shown);
    }

    private static ApiVersion intersection(ApiVersion upstream, ApiKeys api, boolean namesById) {
        short min = api == ApiKeys.PRODUCE
                ? upstream.minVersion()
                : (short) Math.max(upstream.minVersion(), api.oldestVersion());
        short max = (short) Math.min(upstream.maxVersion(), api.latestVersion());
        if (LOWERED.contains(api)) {
            max = api.latestVersion();
        } else if (api == ApiKeys.OFFSET_COMMIT || api == ApiKeys.OFFSET_FETCH) {
            max = namesById ? api.latestVersion() : (short) Math.max(max, LAST_OFFSETS_BY_NAME);
        } else if (api == ApiKeys.TXN_OFFSET_COMMIT && namesById && max >= FIRST_THAT_ADDS_PARTITIONS) {
            max = api.latestVersion();
        }
        return new ApiVersion().setApiKey(api.id).setMinVersion(min).setMaxVersion(max);
    }

    private static ApiVersion range(ApiKeys api) {
        return new ApiVersion()
                .setApiKey(api.id)
                .setMinVersion(api.oldestVersion())
                .setMaxVersion(api.latestVersion());
    }
}
