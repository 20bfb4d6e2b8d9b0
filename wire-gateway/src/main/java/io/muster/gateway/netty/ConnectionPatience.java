package io.muster.gateway.netty;

import io.muster.core.CoordinatorConfig;
import java.time.Duration;

/**
 * How long what concerns one connection may take.
 *
 * @param lateAfter how long a decided heartbeat may wait for the replies before it
 * @param request how long after its arrival a request waits for earlier ones and is tried again
 * @param heartbeat how long a heartbeat waits for earlier requests
 * @param silence how long a reply waits for a silent broker
 * @param finishWithin how long what was received is carried out when the client is gone
 */
record ConnectionPatience(
        Duration lateAfter, Duration request, Duration heartbeat, Duration silence, Duration finishWithin) {
    /**
     * As it is configured, and so that members keep their sessions.
     *
     * @param defaults the cluster's
     */
    static ConnectionPatience of(GatewayConfig.Patience configured, CoordinatorConfig defaults) {
        return new ConnectionPatience(
                configured.lateAfter(),
                SessionPatience.ofRequests(defaults, configured.request()),
                SessionPatience.ofHeartbeats(defaults),
                configured.silence().orElseGet(() -> SessionPatience.withSilentBrokers(defaults)),
                configured.finishWithin());
    }
}
