package io.muster.cluster.clients;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** One of three brokers, the groups' coordinator upstream, is stopped (SIGSTOP): the others take over what it led. */
class StoppedBrokerOfThreeTest {
    private static final int COORDINATOR = 1;
    private static final int RECORDS = 300;

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.threeWithoutModernGroups(KafkaVersion.V4_4));

    @TempDir
    static Path stateDir;

    @Test
    void coordinatorStoppedForSeveralSessions_costsNobodyItsPlace() throws ExecutionException, InterruptedException {
        UpstreamCoordinators coordinators = new UpstreamCoordinators(KAFKA.brokers());
        Workload.Names names = new Workload.Names(
                coordinators.groupOf(COORDINATOR, "third-readers"),
                coordinators.groupOf(COORDINATOR, "third-copier"),
                "third-numbers",
                "third-copies");
        try (MusterCluster muster = MusterCluster.startOne(KAFKA.brokers(), StoppedBroker.SHORT_SESSIONS);
                Workload workload = Workload.start(KAFKA.brokers(), muster, names, stateDir)) {
            // Given
            Workload.Groups before = workload.groups();

            // When
            StoppedBroker.forSeveralSessions(KAFKA.brokers(), COORDINATOR, () -> {
                workload.write(RECORDS);
                workload.awaitProcessed();
            });

            // Then
            workload.write(RECORDS);
            workload.awaitProcessed();
            workload.assertNobodyNoticed(before);
        }
    }
}
