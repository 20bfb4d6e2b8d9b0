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
 * @param permissionRefresh how long a broker's word that a client may do something counts until it is asked again
 */
public record GatewayConfig(
        String bindHost,
        String advertisedHost,
        int basePort,
        ConnectionLimits limits,
        Patience patience,
        Duration permissionRefresh) {
    public GatewayConfig {
        if (basePort < 1 || basePort > 65_535) {
            throw new IllegalArgumentException("the base port must be between 1 and 65535, but is " + basePort);
        }
    }

    /**
     * How long the gateway waits.
     *
     * @param lateAfter how long a decided heartbeat may wait for the replies before it
     * @param request how long after its arrival a request waits for earlier ones of its connection and is tried again; about as long
     *     as clients wait for an answer
     * @param finishWithin how long what was received is carried out when the client is gone and no request waits or is tried again any
     *     more
     * @param silence how long a reply waits for a silent broker; if empty, a third of the shortest session timeout, 3 s at least
     */
    public record Patience(Duration lateAfter, Duration request, Duration finishWithin, Optional<Duration> silence) {}

    /** The default limits, and 25 seconds for requests and for late heartbeats; 10 seconds to finish; permissions count a minute. */
    public static GatewayConfig of(String bindHost, String advertisedHost, int basePort) {
        Duration asClientsWait = Duration.ofSeconds(25);
        return new GatewayConfig(
                bindHost,
                advertisedHost,
                basePort,
                ConnectionLimits.defaults(),
                new Patience(asClientsWait, asClientsWait, Duration.ofSeconds(10), Optional.empty()),
                Duration.ofMinutes(1));
    }

    public GatewayConfig withSilencePatience(Duration next) {
        return with(new Patience(patience.lateAfter, patience.request, patience.finishWithin, Optional.of(next)));
    }

    /** The same with other limits. */
    public GatewayConfig with(ConnectionLimits others) {
        return new GatewayConfig(bindHost, advertisedHost, basePort, others, patience, permissionRefresh);
    }

    /** The same, waiting for other times. */
    public GatewayConfig with(Patience other) {
        return new GatewayConfig(bindHost, advertisedHost, basePort, limits, other, permissionRefresh);
    }

    /** The same, having requests wait for earlier ones and trying them again for this long instead of 25 seconds. */
    public GatewayConfig withRequestPatience(Duration next) {
        return with(new Patience(patience.lateAfter, next, patience.finishWithin, patience.silence));
    }

    /** The same, giving up sooner or later on what it received of clients that are gone. */
    public GatewayConfig withFinishWithin(Duration next) {
        return with(new Patience(patience.lateAfter, patience.request, next, patience.silence));
    }

    /** The same, asking the brokers about permissions again after this long instead of a minute. */
    public GatewayConfig withPermissionRefresh(Duration next) {
        return new GatewayConfig(bindHost, advertisedHost, basePort, limits, patience, next);
    }
}
