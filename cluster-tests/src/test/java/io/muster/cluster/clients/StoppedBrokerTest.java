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

/** The only broker is stopped (SIGSTOP) for longer than sessions last, under consumers that commit and a Streams application. */
class StoppedBrokerTest {
    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    @TempDir
    static Path stateDir;

    @Test
    void brokerStoppedForSeveralSessions_costsNobodyItsPlace() throws ExecutionException, InterruptedException {
        try (MusterCluster muster = MusterCluster.startOne(KAFKA.brokers(), StoppedBroker.SHORT_SESSIONS);
                Workload workload = Workload.start(KAFKA.brokers(), muster, Workload.Names.of("stopped"), stateDir)) {
            // Given
            Workload.Groups before = workload.groups();

            // When
            StoppedBroker.forSeveralSessions(KAFKA.brokers(), 0, () -> {});

            // Then
            workload.write(300);
            workload.awaitProcessed();
            workload.assertNobodyNoticed(before);
        }
    }
}
