package io.muster.cluster.clients;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One of three brokers is stopped (SIGSTOP) for longer than sessions last: the others take over what it led, and nobody loses its place. */
class StoppedBrokerOfThreeTest {
    private static final int RECORDS = 300;

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.threeWithoutModernGroups(KafkaVersion.V4_4));

    @TempDir
    static Path stateDir;

    /** What the stopped broker is; each leads some of the partitions. */
    enum Role {
        /** Of both groups. */
        COORDINATOR,
        /** Nothing else. */
        LEADER,
        /** The one that clients are given to begin with, and that Muster asks first. */
        BOOTSTRAP,
        /** The active one of the three. */
        CONTROLLER
    }

    @Test
    void coordinatorStoppedForSeveralSessions_costsNobodyItsPlace() throws ExecutionException, InterruptedException {
        stopForSeveralSessions(Role.COORDINATOR);
    }

    @Tag("soak")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COORDINATOR")
    void brokerStoppedForSeveralSessions_costsNobodyItsPlace(Role role)
            throws ExecutionException, InterruptedException {
        stopForSeveralSessions(role);
    }

    private static void stopForSeveralSessions(Role role) throws ExecutionException, InterruptedException {
        KafkaBrokers brokers = KAFKA.brokers();
        brokers.electPreferredLeaders();
        int stopped = stopped(role);
        try (MusterCluster muster = MusterCluster.startOne(brokers, StoppedBroker.SHORT_SESSIONS);
                Workload workload =
                        Workload.start(brokers, muster, names(role, stopped), stateDir.resolve(role.name()))) {
            // Given
            Workload.Groups before = workload.groups();

            // When
            StoppedBroker.forSeveralSessions(brokers, stopped, () -> {
                workload.write(RECORDS);
                workload.awaitProcessed();
            });

            // Then
            workload.write(RECORDS);
            workload.awaitProcessed();
            workload.assertNobodyNoticed(before);
        }
    }

    private static int stopped(Role role) throws ExecutionException, InterruptedException {
        int controller = KAFKA.brokers().activeController();
        return switch (role) {
            case COORDINATOR -> new GroupsOfBrokers(KAFKA.brokers()).of("any group");
            case LEADER ->
                IntStream.range(1, KAFKA.brokers().count())
                        .filter(id -> id != controller)
                        .findFirst()
                        .orElseThrow();
            case BOOTSTRAP -> 0;
            case CONTROLLER -> controller;
        };
    }

    private static Workload.Names names(Role role, int stopped) {
        String prefix = "stopped-" + role.name().toLowerCase(Locale.ROOT);
        return new Workload.Names(
                group(role, stopped, prefix + "-readers"),
                group(role, stopped, prefix + "-copier"),
                prefix + "-numbers",
                prefix + "-copies");
    }

    private static String group(Role role, int stopped, String prefix) {
        GroupsOfBrokers coordinators = new GroupsOfBrokers(KAFKA.brokers());
        return role == Role.COORDINATOR
                ? coordinators.groupOf(stopped, prefix)
                : coordinators.groupOfOthers(stopped, prefix);
    }
}
