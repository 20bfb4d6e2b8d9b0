package io.muster.cluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random members of groups do the same before Muster and before a live Kafka 4.4.0, and must be answered alike. System properties:
 * {@code random.seed}, the first seed; {@code random.sequences}, how many seeds from there for each kind of group;
 * {@code random.kinds}, which kinds, separated by commas; {@code random.trace}, whether every step is printed.
 */
class RandomGroupsTest {
    private static final int SEQUENCES = Integer.getInteger("random.sequences", 20);
    private static final String KINDS = System.getProperty("random.kinds", "CONSUMER,STREAMS");
    private static final int STEPS = 40;

    @RegisterExtension
    static final SharedKafka UPSTREAM = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    private static KafkaBrokers kafka;
    private static MusterCluster muster;

    @BeforeAll
    static void start() {
        kafka = KafkaBrokers.start(RandomRun.STOCK);
        muster = MusterCluster.startOne(UPSTREAM.brokers());
    }

    @AfterAll
    static void stop() {
        muster.close();
        kafka.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"CONSUMER", "STREAMS"})
    void randomMembers_areAnsweredAsByKafka(RandomKind kind) throws Exception {
        assumeTrue(KINDS.contains(kind.name()), "not among random.kinds");

        // Then
        assertThat(new RandomRun(kind, SEQUENCES, STEPS).differences(kafka, muster))
                .isEmpty();
    }
}
