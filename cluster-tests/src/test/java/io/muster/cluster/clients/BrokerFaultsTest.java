package io.muster.cluster.clients;

import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.RawKafka;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Clients work before three brokers, through a gateway port for each, while their coordinator upstream and a node die. */
class BrokerFaultsTest {
    private static final int COORDINATOR = 1;
    private static final int RECORDS = 300;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.threeWithoutModernGroups(KafkaVersion.V4_4));

    @TempDir
    static Path stateDir;

    @Test
    void upstreamCoordinatorAndLeaderKilled_noClientNotices() throws ExecutionException, InterruptedException {
        Workload.Names names = new Workload.Names(
                coordinated("brokers-readers"), coordinated("brokers-copier"), "brokers-numbers", "brokers-copies");
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

    /** A name that begins like this for a group whose coordinator upstream is the broker that dies. */
    private static String coordinated(String prefix) {
        try (RawKafka broker = new RawKafka(KAFKA.brokers().port(0)).waitAtMost(LIMIT)) {
            return Awaitility.await("a group that broker " + COORDINATOR + " coordinates")
                    .atMost(LIMIT)
                    .until(
                            () -> IntStream.range(0, 10)
                                    .mapToObj(i -> prefix + i)
                                    .filter(group -> coordinator(broker, group) == COORDINATOR)
                                    .findFirst(),
                            java.util.Optional::isPresent)
                    .orElseThrow();
        }
    }

    /** The coordinator's id, -1 while there is none. */
    private static int coordinator(RawKafka broker, String group) {
        FindCoordinatorResponseData answer = broker.call(
                ApiKeys.FIND_COORDINATOR,
                3,
                new FindCoordinatorRequestData().setKey(group),
                FindCoordinatorResponseData.class);
        return Errors.forCode(answer.errorCode()) == Errors.NONE ? answer.nodeId() : -1;
    }
}
