package io.muster.cluster.soak;

import io.muster.cluster.nodes.MusterNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.awaitility.Awaitility;

/** Some faults that overlap, and how all of it ends. */
final class SoakRound {
    private static final List<Fault> FAULTS = Arrays.stream(Fault.values())
            .filter(fault -> System.getProperty("soak.faults", fault.name()).contains(fault.name()))
            .toList();
    private static final int FEWEST_FAULTS = 3;
    private static final int MOST_FAULTS = 6;
    private static final int MOST_TRIES = 20;
    private static final int BETWEEN_MILLIS = 700;
    private static final int LONGEST_MILLIS = 3_000;
    private static final int RECORDS = 30;

    private final Scene scene;
    private final SoakWorkload workload;
    private final Random random;
    private final List<Runnable> ends = new ArrayList<>();
    private final List<Fault> happened = new ArrayList<>();

    SoakRound(Scene scene, SoakWorkload workload, Random random) {
        this.scene = scene;
        this.workload = workload;
        this.random = random;
    }

    /** The faults so far. */
    List<Fault> happened() {
        return List.copyOf(happened);
    }

    void strike() {
        int wanted = FEWEST_FAULTS + random.nextInt(MOST_FAULTS - FEWEST_FAULTS + 1);
        for (int i = 0; happened.size() < wanted && i < MOST_TRIES; i++) {
            Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
            Optional<Runnable> end = fault.begin(scene);
            if (end.isPresent()) {
                happened.add(fault);
                ends.add(end.get());
                SoakTest.say("  " + fault);
                pass(random.nextInt(BETWEEN_MILLIS));
            }
        }
        pass(random.nextInt(LONGEST_MILLIS));
    }

    /** Ends the faults in any order, and starts nodes again that ended because of them. */
    void setRight() {
        Collections.shuffle(ends, random);
        ends.forEach(Runnable::run);
        for (MusterNode node : scene.muster().nodes()) {
            if (!node.isAlive()) {
                mayEnd(node);
                node.kill();
                node.launch();
            }
        }
        scene.muster().nodes().forEach(MusterNode::awaitReady);
        workload.write(RECORDS);
    }

    /** A node may give up when its disk is full, and only then. */
    private void mayEnd(MusterNode node) {
        boolean full = happened.contains(Fault.DISK_FULL)
                && node == scene.muster().nodes().get(Machines.WITH_DISK);
        if (!full) {
            throw new AssertionError(node.id() + " ended by itself");
        }
        SoakTest.say("  " + node.id() + " ended, its disk was full");
    }

    private static void pass(int millis) {
        Duration time = Duration.ofMillis(millis);
        Awaitility.await().pollDelay(time).atMost(time.plusSeconds(60)).until(() -> true);
    }
}
