package io.muster.gateway.upstream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientDnsLookup;
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
import org.apache.kafka.common.utils.Timer;
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
        Timer timer = Time.SYSTEM.timer(timeoutMillis);
        try {
            awaitConnection(broker, timer);
            return answer(broker, request, timer);
        } catch (IOException | KafkaException e) {
            client.disconnect(broker.idString());
            throw new UpstreamException(
                    request.apiKey().name + " to broker " + broker + " failed: " + e.getMessage(), e);
        }
    }

    /** A connection that was lost is not made again before its back-off is over. */
    private void awaitConnection(Node broker, Timer timer) throws IOException {
        while (client.connectionFailed(broker)
                && client.connectionDelay(broker, timer.currentTimeMs()) > 0
                && timer.notExpired()) {
            long delayMillis = client.connectionDelay(broker, timer.currentTimeMs());
            client.poll(Math.min(delayMillis, timer.remainingMs()), timer.currentTimeMs());
            timer.update();
        }
        if (!NetworkClientUtils.awaitReady(
                client, broker, Time.SYSTEM, Math.min(timer.remainingMs(), CONNECT_TIMEOUT_MILLIS))) {
            throw new IOException("it took too long to connect");
        }
        timer.update();
    }

    /** Kafka's own way to wait for one answer notices a timeout below the client's default only when that is over. */
    private AbstractResponse answer(Node broker, AbstractRequest.Builder<?> request, Timer timer) throws IOException {
        ClientRequest framed = client.newClientRequest(
                broker.idString(), request, timer.currentTimeMs(), true, (int) timer.remainingMs(), null);
        client.send(framed, timer.currentTimeMs());
        while (client.active()) {
            List<ClientResponse> responses = client.poll(timer.remainingMs(), timer.currentTimeMs());
            timer.update();
            for (ClientResponse response : responses) {
                if (response.requestHeader().correlationId() == framed.correlationId()) {
                    return body(response);
                }
            }
        }
        throw new IOException("the session was closed before the answer came");
    }

    private static AbstractResponse body(ClientResponse response) throws IOException {
        if (response.wasDisconnected()) {
            throw new IOException("the connection ended before the answer came");
        }
        if (response.versionMismatch() != null) {
            throw response.versionMismatch();
        }
        return response.responseBody();
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
        for (InetSocketAddress address :
                ClientUtils.parseAndValidateAddresses(bootstrapServers, ClientDnsLookup.USE_ALL_DNS_IPS)) {
            nodes.add(new Node(-1 - nodes.size(), address.getHostString(), address.getPort()));
        }
        return nodes;
    }
}
