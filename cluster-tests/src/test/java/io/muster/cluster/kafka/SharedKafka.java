package io.muster.cluster.kafka;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One Kafka cluster for all tests of a class: register it as a static extension. */
public final class SharedKafka implements BeforeAllCallback, AfterAllCallback {
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
        brokers = KafkaBrokers.start(setup);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        brokers().close();
        brokers = null;
    }
}
