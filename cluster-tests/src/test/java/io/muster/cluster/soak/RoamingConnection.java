package io.muster.cluster.soak;

import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.nodes.MusterNode;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member's connection to a gateway; when it breaks or stays silent, another gateway's turn comes. */
final class RoamingConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RoamingConnection.class);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final RoamingGroup group;
    private final Random random;
    private @Nullable RawKafka connection;

    RoamingConnection(RoamingGroup group, Random random) {
        this.group = group;
        this.random = random;
    }

    /** The answer; empty if none came in time. */
    <T extends ApiMessage> Optional<T> ask(ApiKeys api, int version, ApiMessage request, Class<T> type) {
        try {
            RawKafka open = connection;
            if (open == null) {
                MusterNode node = group.anyNode(random);
                open = new RawKafka(node.host(), node.gatewayPort()).waitAtMost(PATIENCE);
                connection = open;
            }
            return Optional.of(open.call(api, version, request, type));
        } catch (UncheckedIOException e) {
            LOG.debug("no answer to {}", api, e);
            leave();
            return Optional.empty();
        }
    }

    /** The next request goes by another connection. */
    void leave() {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }

    @Override
    public void close() {
        leave();
    }
}
