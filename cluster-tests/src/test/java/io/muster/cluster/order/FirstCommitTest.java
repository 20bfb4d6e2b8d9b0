package io.muster.cluster.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.nodes.MusterCluster;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The first consumer of a group reads, commits and closes before the group is claimed: the brokers answer a first join only after
 * their initial rebalance delay, which is here longer than the coordinator lets a request wait.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init")
class FirstCommitTest {
    private static final String TOPIC = "first-commits";

    private KafkaBrokers brokers;
    private MusterCluster muster;
    private OrdinaryClients clients;

    /** How a consumer commits before it closes. */
    private enum Way {
        SYNC,
        ASYNC,
        BY_CLOSING;

        void commit(KafkaConsumer<String, String> consumer) {
            switch (this) {
                case SYNC -> consumer.commitSync();
                case ASYNC -> consumer.commitAsync();
                case BY_CLOSING -> {}
            }
        }
    }

    @BeforeAll
    void start() throws ExecutionException, InterruptedException {
        brokers = KafkaBrokers.start(
                KafkaSetup.withoutModernGroups(KafkaVersion.V4_4).property("group.initial.rebalance.delay.ms", "4000"));
        muster = MusterCluster.startOne(brokers);
        clients = new OrdinaryClients(brokers.bootstrap(), muster.bootstrap());
        var unused = clients.create(TOPIC);
        clients.write(TOPIC, 1);
    }

    @AfterAll
    void stop() {
        clients.close();
        muster.close();
        brokers.close();
    }

    @ParameterizedTest
    @EnumSource
    void commit_ofANewGroupsOnlyConsumer_isStoredThoughItClosesAtOnce(Way way)
            throws ExecutionException, InterruptedException {
        // When
        String group = "first-commits-" + way;
        try (KafkaConsumer<String, String> consumer = clients.reading(group, TOPIC, way == Way.BY_CLOSING)) {
            way.commit(consumer);
        }

        // Then
        assertThat(clients.committed(group, TOPIC)).isEqualTo(1);
    }
}
