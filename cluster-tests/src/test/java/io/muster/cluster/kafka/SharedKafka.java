package io.muster.cluster.kafka;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * One Kafka cluster for all test classes that want the same: register it as a static extension. It ends with the last test, so a
 * class must not mind the topics and groups of others, and must leave all brokers running.
 */
public final class SharedKafka implements BeforeAllCallback {
    private final KafkaSetup setup;
    private @Nullable KafkaBrokers brokers;

    public SharedKafka(KafkaSetup setup) {
        this.setup = setup;
    }

    public KafkaBrokers brokers() {
        if (brokers == null) {
            throw new IllegalStateException("no test class runs");
        }
        return brokers;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        brokers = context.getRoot()
                .getStore(Namespace.create(SharedKafka.class))
                .getOrComputeIfAbsent(setup, KafkaBrokers::start, KafkaBrokers.class);
    }
}
