package io.muster.gateway.netty;

import io.muster.core.CoordinatorConfig;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * How long members may be kept waiting. A third of the shortest session that a group may have, be it by its own configs: a member has
 * missed two heartbeats at most then.
 */
final class SessionPatience {
    private static final Duration LEAST_FOR_BROKERS = Duration.ofSeconds(3);
    /** The last try takes some seconds, and so does a question for permissions on the connection by which the client comes back. */
    private static final Duration COMING_BACK = Duration.ofSeconds(8);

    private static final Duration MOST_FOR_REQUESTS = Duration.ofSeconds(5);

    private SessionPatience() {}

    /** How long a reply waits for a silent broker; 3 s at least. */
    static Duration withSilentBrokers(CoordinatorConfig config) {
        Duration third = thirdOfSession(config);
        return third.compareTo(LEAST_FOR_BROKERS) < 0 ? LEAST_FOR_BROKERS : third;
    }

    /** How long a heartbeat waits for earlier requests of its connection; 5 s at most. */
    static Duration ofHeartbeats(CoordinatorConfig config) {
        Duration third = thirdOfSession(config);
        return third.compareTo(MOST_FOR_REQUESTS) > 0 ? MOST_FOR_REQUESTS : third;
    }

    /**
     * How long a request is tried again, or waits for others, before it is answered: as long as clients would wait, if a session lasts
     * until they are back. A client sends its member's next heartbeat only when the one behind such a request is answered.
     */
    static Duration ofRequests(CoordinatorConfig config, Duration ofClients) {
        Duration third = thirdOfSession(config);
        Duration rest = Duration.ofMillis(shortestSessionMillis(config)).minus(COMING_BACK);
        Duration most = rest.compareTo(third) < 0 ? third : rest;
        return most.compareTo(ofClients) < 0 ? most : ofClients;
    }

    /** The configs of a group cannot go below the least. */
    private static int shortestSessionMillis(CoordinatorConfig config) {
        return IntStream.of(
                        config.consumer().sessionTimeoutMillis(),
                        config.consumer().minSessionTimeoutMillis(),
                        config.streams().sessionTimeoutMillis(),
                        config.streams().minSessionTimeoutMillis())
                .min()
                .getAsInt();
    }

    private static Duration thirdOfSession(CoordinatorConfig config) {
        return Duration.ofMillis(shortestSessionMillis(config) / 3);
    }
}
