package io.muster.gateway.netty;

import io.muster.gateway.kafka.UpstreamVersions;
import io.muster.gateway.kafka.VirtualBrokers;
import io.muster.gateway.upstream.BrokerPulse;

/**
 * The upstream brokers as the connections of a gateway know them.
 *
 * @param addresses where each listens, and where clients meet it
 * @param pulse which of them are silent
 * @param wiring how they are connected to
 * @param anonymous whether they do not ask who a client is
 */
record UpstreamBrokers(
        VirtualBrokers addresses,
        UpstreamVersions versions,
        BrokerPulse pulse,
        UpstreamWiring wiring,
        boolean anonymous) {}
