package io.muster.cluster.clients;

import java.util.HashMap;
import java.util.Map;

/** How long the tests' own clients wait for a broker, which may stand still, before they try another one: far less than Kafka's 30 s. */
final class Patience {
    private static final Map<String, Object> SHORT = Map.of(
            "request.timeout.ms", 4_000,
            "socket.connection.setup.timeout.ms", 2_000,
            "socket.connection.setup.timeout.max.ms", 4_000);

    private Patience() {}

    /** These settings of a client and a short patience. */
    static Map<String, Object> shortened(Map<String, ?> client) {
        Map<String, Object> settings = new HashMap<>(SHORT);
        settings.putAll(client);
        return settings;
    }
}
