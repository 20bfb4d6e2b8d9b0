package io.muster.gateway.upstream;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * How Muster's own principal reaches the upstream cluster.
 *
 * @param bootstrapServers {@code host:port} of some brokers, at least one
 * @param clusterName names this Muster cluster's claims upstream; must not change while claims stand
 * @param clientProperties Kafka client properties for security, for example {@code sasl.jaas.config}
 */
public record UpstreamConfig(List<String> bootstrapServers, String clusterName, Map<String, String> clientProperties) {
    public UpstreamConfig {
        bootstrapServers = List.copyOf(bootstrapServers);
        clientProperties = Map.copyOf(clientProperties);
        if (bootstrapServers.isEmpty()) {
            throw new IllegalArgumentException("no bootstrap server of the upstream cluster is given");
        }
        if (clusterName.isBlank()) {
            throw new IllegalArgumentException("the cluster name is blank");
        }
    }

    /** Whether the brokers ask who a client is (SASL). */
    public boolean asksForNames() {
        return clientProperties
                .getOrDefault(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "")
                .toUpperCase(Locale.ROOT)
                .startsWith("SASL");
    }

    /** Both the protocol name, which no other Muster cluster shares, and the static member's instance id. */
    public String claimName() {
        return "muster-" + clusterName;
    }
}
