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

    /** The configs of a group cannot go below the least. */
    private static Duration thirdOfSession(CoordinatorConfig config) {
        int shortest = IntStream.of(
                        config.consumer().sessionTimeoutMillis(),
                        config.consumer().minSessionTimeoutMillis(),
                        config.streams().sessionTimeoutMillis(),
                        config.streams().minSessionTimeoutMillis())
                .min()
                .getAsInt();
        return Duration.ofMillis(shortest / 3);
    }
}
