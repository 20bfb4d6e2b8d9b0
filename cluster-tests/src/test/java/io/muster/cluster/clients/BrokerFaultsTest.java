package io.muster.cluster.clients;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Clients work before three brokers, through a gateway port for each, while their coordinator upstream and a node die. */
class BrokerFaultsTest {
    private static final int COORDINATOR = 1;
    private static final int RECORDS = 300;

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.threeWithoutModernGroups(KafkaVersion.V4_4));

    @TempDir
    static Path stateDir;

    @Test
    void upstreamCoordinatorAndLeaderKilled_noClientNotices() throws ExecutionException, InterruptedException {
        GroupsOfBrokers coordinators = new GroupsOfBrokers(KAFKA.brokers());
        Workload.Names names = new Workload.Names(
                coordinators.groupOf(COORDINATOR, "brokers-readers"),
                coordinators.groupOf(COORDINATOR, "brokers-copier"),
                "brokers-numbers",
                "brokers-copies");
        try (MusterCluster muster = MusterCluster.start(KAFKA.brokers(), "");
                Workload workload = Workload.start(KAFKA.brokers(), muster, names, stateDir)) {
            // Given
            Workload.Groups before = workload.groups();

            // When
            KAFKA.brokers().kill(COORDINATOR);
            workload.write(RECORDS);
            MusterNode leader = muster.awaitLeader(muster.nodes());
            leader.kill();
            workload.write(RECORDS);
            workload.awaitProcessed();
            KAFKA.brokers().restart(COORDINATOR);
            leader.restart();
            workload.write(RECORDS);
            workload.awaitProcessed();

            // Then
            workload.assertNobodyNoticed(before);
        }
    }
}
