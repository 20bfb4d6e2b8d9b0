package io.muster.cluster.clients;

import io.grpc.StatusRuntimeException;
import io.muster.cluster.kafka.KafkaSetup;
import io.muster.cluster.kafka.KafkaVersion;
import io.muster.cluster.kafka.SharedKafka;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random faults, one after the other, for {@code soak.minutes} (10), drawn from {@code soak.seed}. Consumers and a Streams
 * application work all the while; after each fault they must not have noticed it.
 */
@Tag("soak")
class SoakTest {
    private static final Logger LOG = LoggerFactory.getLogger(SoakTest.class);
    private static final int RECORDS = 100;
    private static final int LONGEST_FAULT_MILLIS = 6_000;

    @RegisterExtension
    static final SharedKafka KAFKA = new SharedKafka(KafkaSetup.withoutModernGroups(KafkaVersion.V4_4));

    @TempDir
    static Path stateDir;

    /** Far below any session timeout: members lose no session, so they must keep their places. */
    private enum Fault {
        LEADER_KILLED,
        LEADER_PAUSED,
        LEADERSHIP_TRANSFERRED,
        FOLLOWER_KILLED,
        FOLLOWER_PAUSED,
        FOLLOWER_WIPED,
        LEADER_WIPED,
        ALL_KILLED
    }

    @Test
    void randomFaults_noClientNotices() throws ExecutionException, InterruptedException {
        long seed = Long.getLong("soak.seed", new Random().nextInt());
        Duration length = Duration.ofMinutes(Long.getLong("soak.minutes", 10));
        say("soak of " + length + " with seed " + seed);
        Random random = new Random(seed);
        try (MusterCluster muster = MusterCluster.start(KAFKA.brokers(), "");
                Workload workload = Workload.start(KAFKA.brokers(), muster, Workload.Names.of("soak"), stateDir)) {
            Workload.Groups before = workload.groups();
            Instant end = Instant.now().plus(length);
            int round = 0;
            while (Instant.now().isBefore(end)) {
                Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
                int millis = random.nextInt(LONGEST_FAULT_MILLIS);
                String what = "round " + ++round + " of seed " + seed + ": " + fault + " for " + millis + " ms";
                say(what);
                try {
                    happen(fault, new Scene(muster, workload, random, millis));
                    workload.write(RECORDS);
                    workload.awaitProcessed();
                    workload.assertNobodyNoticed(before);
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError(what, e);
                }
            }
            say("soak passed, " + round + " faults, "
                    + workload.numbers().eachOnce().size() + " records");
        }
    }

    /** Where a fault happens, and how long it takes. */
    private record Scene(MusterCluster muster, Workload workload, Random random, int millis) {
        MusterNode leader() {
            return muster.awaitLeader(muster.nodes());
        }

        MusterNode follower() {
            List<MusterNode> followers = muster.others(leader());
            return followers.get(random.nextInt(followers.size()));
        }

        /** Work goes on while the fault lasts. */
        void last() {
            workload.write(RECORDS);
            Duration time = Duration.ofMillis(millis);
            Awaitility.await().pollDelay(time).atMost(time.plusSeconds(30)).until(() -> true);
        }
    }

    private static void happen(Fault fault, Scene scene) {
        switch (fault) {
            case LEADER_KILLED -> kill(scene, scene.leader());
            case LEADER_PAUSED -> pause(scene, scene.leader());
            case LEADERSHIP_TRANSFERRED -> transfer(scene, scene.follower());
            case FOLLOWER_KILLED -> kill(scene, scene.follower());
            case FOLLOWER_PAUSED -> pause(scene, scene.follower());
            case FOLLOWER_WIPED -> wipe(scene, scene.follower());
            case LEADER_WIPED -> wipe(scene, scene.leader());
            case ALL_KILLED -> killAll(scene);
        }
    }

    private static void kill(Scene scene, MusterNode node) {
        node.kill();
        scene.last();
        node.restart();
    }

    private static void wipe(Scene scene, MusterNode node) {
        node.kill();
        node.wipe();
        scene.last();
        node.restart();
    }

    private static void pause(Scene scene, MusterNode node) {
        node.pause();
        scene.last();
        node.resume();
    }

    private static void transfer(Scene scene, MusterNode to) {
        try {
            scene.muster().transferLeadership(to);
        } catch (StatusRuntimeException refused) {
            say("the transfer was refused: " + refused.getStatus());
        }
        scene.last();
    }

    private static void killAll(Scene scene) {
        scene.muster().nodes().forEach(MusterNode::kill);
        scene.last();
        scene.muster().launchAll();
    }

    private static void say(String line) {
        LOG.warn(line);
    }
}
