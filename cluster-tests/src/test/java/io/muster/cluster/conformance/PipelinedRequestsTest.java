package io.muster.cluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.nodes.MusterCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random members send two to five requests at once on one connection, and some disconnect right after it: what Muster answers, and
 * what becomes of the group and its offsets, must be what a live Kafka 4.4.0 makes of the same. The brokers below Muster delay the
 * first rebalance of a group, as they do unless told otherwise. System properties: {@code random.seed}, the first seed;
 * {@code pipelines.sequences}, how many seeds from there; {@code random.trace}, whether every step is printed.
 */
class PipelinedRequestsTest {
    private static final int SEQUENCES = Integer.getInteger("pipelines.sequences", 6);
    private static final int STEPS = 12;

    private static KafkaBrokers kafka;
    private static KafkaBrokers upstream;
    private static MusterCluster muster;

    @BeforeAll
    static void start() {
        kafka = KafkaBrokers.start(RandomRun.STOCK);
        upstream = KafkaBrokers.start(
                KafkaSetup.withoutModernGroups(KafkaVersion.V4_4).property("group.initial.rebalance.delay.ms", "3000"));
        muster = MusterCluster.startOne(upstream);
    }

    @AfterAll
    static void stop() {
        muster.close();
        upstream.close();
        kafka.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"PIPELINED_CONSUMER", "PIPELINED_STREAMS"})
    void pipelinedRequests_haveTheEffectsThatTheyHaveOnKafka(RandomKind kind) throws Exception {
        assertThat(new RandomRun(kind, SEQUENCES, STEPS).differences(kafka, muster))
                .isEmpty();
    }
}
