package io.muster.gateway.upstream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.DefaultHostResolver;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * Muster's own connections to the upstream brokers, one request at a time: Kafka's network client with its versions, TLS and SASL,
 * used by one thread after the other.
 */
final class BrokerSession implements AutoCloseable {
    private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

    private final Metrics metrics = new Metrics();
    private final NetworkClient client;
    private final List<Node> bootstrap;

    BrokerSession(UpstreamConfig config) {
        Map<String, Object> properties = new HashMap<>(config.clientProperties());
        properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
        properties.putIfAbsent(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500L);
        this.bootstrap = nodes(config.bootstrapServers());
        this.client = ClientUtils.createNetworkClient(
                new AdminClientConfig(properties),
                config.bootstrapServers(),
                "muster",
                metrics,
                "muster-claims",
                new LogContext(),
                new ApiVersions(),
                Time.SYSTEM,
                1,
                CONNECT_TIMEOUT_MILLIS,
                null,
                new ManualMetadataUpdater(),
                new DefaultHostResolver(),
                null,
                null);
    }

    /** Brokers to ask first, as configured. */
    List<Node> bootstrap() {
        return bootstrap;
    }

    /**
     * Sends the request in the newest version that the broker has, and waits for the answer.
     *
     * @throws UpstreamException if there is none within {@code timeoutMillis}
     */
    AbstractResponse call(Node broker, AbstractRequest.Builder<?> request, int timeoutMillis) throws UpstreamException {
        try {
            if (!NetworkClientUtils.awaitReady(
                    client, broker, Time.SYSTEM, Math.min(timeoutMillis, CONNECT_TIMEOUT_MILLIS))) {
                throw new UpstreamException("no connection to broker " + broker);
            }
            ClientRequest framed = client.newClientRequest(
                    broker.idString(), request, Time.SYSTEM.milliseconds(), true, timeoutMillis, null);
            ClientResponse response = NetworkClientUtils.sendAndReceive(client, framed, Time.SYSTEM);
            return response.responseBody();
        } catch (IOException | KafkaException e) {
            client.disconnect(broker.idString());
            throw new UpstreamException(
                    request.apiKey().name + " to broker " + broker + " failed: " + e.getMessage(), e);
        }
    }

    /** Makes a call that waits in another thread fail soon. */
    void interrupt() {
        client.initiateClose();
        client.wakeup();
    }

    @Override
    public void close() {
        client.close();
        metrics.close();
    }

    /** Ids below zero keep these apart from the brokers' own. */
    private static List<Node> nodes(List<String> bootstrapServers) {
        List<Node> nodes = new ArrayList<>();
        for (InetSocketAddress address : ClientUtils.parseAndValidateAddresses(
                bootstrapServers, org.apache.kafka.clients.ClientDnsLookup.USE_ALL_DNS_IPS)) {
            nodes.add(new Node(-1 - nodes.size(), address.getHostString(), address.getPort()));
        }
        return nodes;
    }
}
