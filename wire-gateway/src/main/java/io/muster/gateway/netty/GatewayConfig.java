package io.muster.gateway.netty;

import java.time.Duration;
import java.util.Optional;

/**
 * How a gateway appears to clients.
 *
 * @param bindHost the address to listen on, for example {@code 0.0.0.0}
 * @param advertisedHost the name or address by which clients reach this gateway
 * @param basePort the port of broker 0; broker n has this plus n; 1 to 65535
 * @param limits what clients may cost
 * @param lateAfter how long a decided heartbeat may wait for the replies before it
 * @param requestPatience how long after its arrival a request waits for earlier ones of its connection and is tried again; about as
 *     long as clients wait for an answer
 * @param finishWithin how long what was received is carried out when the client is gone and no request waits or is tried again any
 *     more
 * @param silencePatience how long a reply waits for a silent broker; if empty, a third of the shortest session timeout, 3 s at least
 */
public record GatewayConfig(
        String bindHost,
        String advertisedHost,
        int basePort,
        ConnectionLimits limits,
        Duration lateAfter,
        Duration requestPatience,
        Duration finishWithin,
        Optional<Duration> silencePatience) {
    public GatewayConfig {
        if (basePort < 1 || basePort > 65_535) {
            throw new IllegalArgumentException("the base port must be between 1 and 65535, but is " + basePort);
        }
    }

    /** The default limits, and 25 seconds for requests and for late heartbeats; 10 seconds to finish. */
    public static GatewayConfig of(String bindHost, String advertisedHost, int basePort) {
        Duration asClientsWait = Duration.ofSeconds(25);
        return new GatewayConfig(
                bindHost,
                advertisedHost,
                basePort,
                ConnectionLimits.defaults(),
                asClientsWait,
                asClientsWait,
                Duration.ofSeconds(10),
                Optional.empty());
    }

    public GatewayConfig withSilencePatience(Duration next) {
        return new GatewayConfig(
                bindHost,
                advertisedHost,
                basePort,
                limits,
                lateAfter,
                requestPatience,
                finishWithin,
                Optional.of(next));
    }

    /** The same with other limits. */
    public GatewayConfig with(ConnectionLimits others) {
        return new GatewayConfig(
                bindHost, advertisedHost, basePort, others, lateAfter, requestPatience, finishWithin, silencePatience);
    }

    /** The same, having requests wait for earlier ones and trying them again for this long instead of 25 seconds. */
    public GatewayConfig withRequestPatience(Duration next) {
        return new GatewayConfig(
                bindHost, advertisedHost, basePort, limits, lateAfter, next, finishWithin, silencePatience);
    }

    /** The same, giving up sooner or later on what it received of clients that are gone. */
    public GatewayConfig withFinishWithin(Duration next) {
        return new GatewayConfig(
                bindHost, advertisedHost, basePort, limits, lateAfter, requestPatience, next, silencePatience);
    }
}
