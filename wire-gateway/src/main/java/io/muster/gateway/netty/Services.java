package io.muster.gateway.netty;

import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.ApiDispatcher;
import io.muster.gateway.kafka.UpstreamVersions;
import io.muster.gateway.kafka.VirtualBrokers;
import io.muster.gateway.kafka.offsets.ClientUpstream;
import io.muster.gateway.kafka.offsets.OffsetRequests;
import io.muster.gateway.kafka.offsets.TopicNames;
import io.muster.gateway.kafka.order.ConnectionThread;
import io.muster.gateway.upstream.BrokerPulse;
import io.muster.gateway.upstream.ClientUpstreamConnection;
import io.muster.gateway.upstream.HostNames;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the connections of a gateway share.
 *
 * @param anonymous whether upstream does not ask who a client is
 * @param abandoned counts connections whose requests were not finished in time after the client was gone
 * @param patience how long a reply waits for a silent broker
 */
record Services(
        GatewayConfig config,
        Transport transport,
        HostNames names,
        ApiDispatcher dispatcher,
        VirtualBrokers brokers,
        UpstreamVersions versions,
        Coordinator coordinator,
        TopicNames topicNames,
        boolean anonymous,
        LongAdder abandoned,
        BrokerPulse pulse,
        Duration patience) {
    /** A bare token of an authentication may be empty. */
    private static final int LEAST_RESPONSE_BYTES = 0;

    /** Half of what an int holds; upstream is trusted not to answer more than was asked for. */
    private static final int MOST_RESPONSE_BYTES = Integer.MAX_VALUE / 2;

    ClientUpstreamConnection.Wiring wiring(EventLoop loop) {
        return new ClientUpstreamConnection.Wiring(
                loop,
                transport.clientType(),
                names,
                () -> new KafkaFrameDecoder(LEAST_RESPONSE_BYTES, MOST_RESPONSE_BYTES));
    }

    OffsetRequests offsets(ClientUpstream upstream, ConnectionThread thread) {
        return new OffsetRequests(
                coordinator::submit,
                upstream,
                topicNames,
                thread,
                config.orderPatience().others());
    }
}
