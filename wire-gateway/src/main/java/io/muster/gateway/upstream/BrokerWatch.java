package io.muster.gateway.upstream;

import io.muster.gateway.kafka.UpstreamVersions;
import io.muster.gateway.kafka.VirtualBrokers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Learns which brokers upstream has, with Muster's own principal: soon after the start, and from time to time. */
public final class BrokerWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerWatch.class);
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final long RETRY_MILLIS = 500;
    private static final long PERIOD_MILLIS = 10_000;

    private final VirtualBrokers brokers;
    private final UpstreamVersions versions;
    private final BrokerSession session;
    private final ScheduledExecutorService thread;
    private final CompletableFuture<Void> first = new CompletableFuture<>();

    public BrokerWatch(UpstreamConfig config, VirtualBrokers brokers, UpstreamVersions versions) {
        this.brokers = brokers;
        this.versions = versions;
        this.session = new BrokerSession(config);
        this.thread = Executors.newSingleThreadScheduledExecutor(UpstreamClaimExecutor.threads("broker-watch"));
    }

    /** Starts; completes when the first brokers are known, exceptionally if none of them can be shown to clients. */
    public CompletableFuture<Void> start() {
        thread.execute(this::look);
        return first;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        session.interrupt();
        if (UpstreamClaimExecutor.ends(thread)) {
            session.close();
        }
    }

    private void look() {
        boolean found = false;
        try {
            found = lookAtAny();
            brokers.retry();
        } catch (RuntimeException e) {
            LOG.error("a look at the brokers of the upstream cluster failed", e);
        }
        if (found && !first.isDone()) {
            var unusedSettled = brokers.settled().whenComplete((done, failure) -> begin());
        }
        if (!thread.isShutdown()) {
            var unused = thread.schedule(this::look, found ? PERIOD_MILLIS : RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void begin() {
        if (!brokers.ids().isEmpty()) {
            first.complete(null);
        } else {
            first.completeExceptionally(new IllegalStateException(
                    String.join("; ", brokers.troubles().values())));
        }
    }

    private boolean lookAtAny() {
        for (Node broker : session.bootstrap()) {
            try {
                lookAt(broker);
                return true;
            } catch (UpstreamException e) {
                LOG.debug("a bootstrap server did not answer", e);
            }
        }
        return false;
    }

    private void lookAt(Node broker) throws UpstreamException {
        MetadataRequestData noTopics =
                new MetadataRequestData().setTopics(List.of()).setAllowAutoTopicCreation(false);
        MetadataResponse metadata =
                (MetadataResponse) session.call(broker, new MetadataRequest.Builder(noTopics), TIMEOUT_MILLIS);
        ApiVersionsResponse supported =
                (ApiVersionsResponse) session.call(broker, new ApiVersionsRequest.Builder(), TIMEOUT_MILLIS);
        if (metadata.data().brokers().isEmpty()) {
            throw new UpstreamException("upstream named no broker");
        }
        for (MetadataResponseBroker one : metadata.data().brokers()) {
            if (versions.of(one.nodeId()).isEmpty()) {
                versions.learn(one.nodeId(), supported.data());
            }
            brokers.learn(one.nodeId(), one.host(), one.port());
        }
        brokers.present(metadata.data().brokers().stream()
                .map(MetadataResponseBroker::nodeId)
                .collect(Collectors.toSet()));
    }
}
