package io.muster.cluster.soak;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code soak.rounds} (20) times, a thousand members join a group while each node in turn is killed, once among the joins and once
 * after them, and started again: the members get all partitions, and the nodes hold the same.
 */
@Tag("soak")
class CrowdTest {
    private static final Logger LOG = LoggerFactory.getLogger(CrowdTest.class);
    private static final int MEMBERS = 1_000;
    private static final int PARTITIONS = 1_000;
    private static final String TOPIC = "crowded";

    @Test
    void nodesKilledAroundTheJoinsOfAThousandMembers_holdTheSameInTheEnd() throws Exception {
        int rounds = Integer.getInteger("soak.rounds", 20);
        try (KafkaBrokers brokers = KafkaBrokers.start(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));
                Admin admin = Admin.create(Map.of("bootstrap.servers", brokers.bootstrap()));
                MusterCluster muster = MusterCluster.start(brokers, "")) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                    .all()
                    .get();
            for (int round = 0; round < rounds; round++) {
                play(muster, round);
                LOG.warn("round {} of {}: the nodes hold the same", round + 1, rounds);
            }
        }
    }

    private static void play(MusterCluster muster, int round) {
        boolean amongTheJoins = round % 2 == 0;
        MusterNode killed = muster.nodes().get(round / 2 % muster.nodes().size());
        try (Crowd crowd = new Crowd(muster, "crowd-" + round, MEMBERS, TOPIC)) {
            if (amongTheJoins) {
                crowd.awaitJoined(MEMBERS / 4);
            } else {
                crowd.awaitSettled(PARTITIONS);
            }
            killed.kill();
            killed.restart();
            crowd.awaitSettled(PARTITIONS);
            muster.awaitEqualStores();
        }
    }
}
