package io.muster.gateway.kafka;

import io.muster.core.CoordinatorConfig;
import io.muster.core.Partitions;
import io.muster.core.StreamsCommand.PartitionEnd;
import io.muster.gateway.kafka.api.ApiRegistry;
import io.muster.gateway.kafka.api.OpenSession;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** A connection through which anything may come, before a broker that answers everything with an empty message. */
final class FuzzedSession extends OpenSession {
    private final ApiDispatcher dispatcher;
    private final Set<ApiKeys> apis;

    FuzzedSession(FuzzedGroups groups) {
        super(groups);
        VirtualBrokers brokers =
                new VirtualBrokers("gateway", 19_092, id -> CompletableFuture.completedFuture(null), troubles -> {});
        brokers.learn(0, "broker", 9092);
        UpstreamVersions versions = new UpstreamVersions();
        List<Api> all = ApiRegistry.all(new ApiRegistry.Parts(
                groups, brokers, versions, FuzzedSession::noEnds, CoordinatorConfig.defaults("fuzz"), broker -> false));
        this.dispatcher = new ApiDispatcher(all);
        this.apis = EnumSet.copyOf(all.stream().map(Api::key).collect(Collectors.toSet()));
    }

    ApiDispatcher dispatcher() {
        return dispatcher;
    }

    Set<ApiKeys> apis() {
        return apis;
    }

    @Override
    public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
        var unused = KafkaFrames.request(api, version, "client", 0, request);
        return CompletableFuture.completedFuture(api.messageType.newResponse());
    }

    private static CompletableFuture<List<PartitionEnd>> noEnds(Partitions<String> partitions) {
        return CompletableFuture.completedFuture(List.of());
    }
}
