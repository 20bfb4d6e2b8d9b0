package io.muster.gateway.kafka;

import io.muster.core.ClientInfo;
import io.muster.core.CoordinatorConfig;
import io.muster.core.InternalCommand.PartitionEnd;
import io.muster.core.Partitions;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import io.muster.gateway.kafka.offsets.TopicNames;
import io.muster.gateway.kafka.order.VirtualThread;
import io.muster.gateway.kafka.permissions.Permissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** A connection through which anything may come, before a broker that answers everything with an empty message. */
final class FuzzedSession implements ClientSession, ClientUpstream {
    private final ApiDispatcher dispatcher;
    private final Set<ApiKeys> apis;
    private final Permissions permissions = new Permissions(this, () -> 0L);
    private final OffsetRequests offsets;

    FuzzedSession(FuzzedGroups groups) {
        VirtualBrokers brokers =
                new VirtualBrokers("gateway", 19_092, id -> CompletableFuture.completedFuture(null), troubles -> {});
        brokers.learn(0, "broker", 9092);
        UpstreamVersions versions = new UpstreamVersions();
        List<Api> all = ApiRegistry.all(new ApiRegistry.Parts(
                groups, brokers, versions, FuzzedSession::noEnds, CoordinatorConfig.defaults("fuzz"), broker -> false));
        this.dispatcher = new ApiDispatcher(all);
        this.apis = EnumSet.copyOf(all.stream().map(Api::key).collect(Collectors.toSet()));
        this.offsets = new OffsetRequests(groups::submit, this, new TopicNames(), new VirtualThread());
    }

    ApiDispatcher dispatcher() {
        return dispatcher;
    }

    Set<ApiKeys> apis() {
        return apis;
    }

    @Override
    public int brokerId() {
        return 0;
    }

    @Override
    public ClientInfo client(KafkaRequest request) {
        return new ClientInfo(String.valueOf(request.clientId()), "/127.0.0.1");
    }

    @Override
    public boolean isAnonymous() {
        return true;
    }

    @Override
    public boolean isBrokerSilent() {
        return false;
    }

    @Override
    public void authenticated(SaslAuthenticateResponseData answer) {}

    @Override
    public ClientUpstream upstream() {
        return this;
    }

    @Override
    public Permissions permissions() {
        return permissions;
    }

    @Override
    public OffsetRequests offsets() {
        return offsets;
    }

    @Override
    public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
        var unused = KafkaFrames.request(api, version, "client", 0, request);
        return CompletableFuture.completedFuture(api.messageType.newResponse());
    }

    @Override
    public short maxVersion(ApiKeys api) {
        return api.latestVersion();
    }

    private static CompletableFuture<List<PartitionEnd>> noEnds(Partitions<String> partitions) {
        return CompletableFuture.completedFuture(List.of());
    }
}
