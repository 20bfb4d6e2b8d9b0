package io.muster.gateway.kafka.api;

import io.muster.core.ClientInfo;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ClientSession;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import io.muster.gateway.kafka.offsets.TopicNames;
import io.muster.gateway.kafka.order.VirtualThread;
import io.muster.gateway.kafka.permissions.PermissionRefresh;
import io.muster.gateway.kafka.permissions.Permissions;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** A client's connection, and the broker behind it, which knows all versions. */
public abstract class OpenSession implements ClientSession, ClientUpstream {
    protected final VirtualThread thread = new VirtualThread();
    private final OffsetRequests offsets;
    private final Permissions permissions =
            new Permissions(this, new PermissionRefresh(Duration.ofMinutes(1), thread::nanoTime, () -> 0));

    protected OpenSession(Coordinator coordinator) {
        this.offsets = new OffsetRequests(coordinator::submit, this, new TopicNames(), thread);
    }

    @Override
    public short maxVersion(ApiKeys api) {
        return api.latestVersion();
    }

    @Override
    public int brokerId() {
        return 0;
    }

    @Override
    public ClientInfo client(KafkaRequest request) {
        return new ClientInfo("client", "/127.0.0.1");
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
    public Executor thread() {
        return thread;
    }

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
}
