package io.muster.cluster.soak;

import io.muster.cluster.kafka.KafkaBrokers;
import io.muster.cluster.nodes.MusterCluster;
import io.muster.cluster.nodes.MusterNode;
import io.muster.cluster.nodes.WallClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Where the faults of one round happen: each node, the brokers and the network are struck once at most. */
final class Scene {
    private final Machines machines;
    private final MusterCluster muster;
    private final KafkaBrokers brokers;
    private final Random random;
    private final MusterNode leader;
    private final List<MusterNode> untouched;
    private boolean brokersTouched;
    private boolean networkTouched;
    private boolean clockTouched;
    private boolean someWiped;

    Scene(Machines machines, MusterCluster muster, KafkaBrokers brokers, Random random) {
        this.machines = machines;
        this.muster = muster;
        this.brokers = brokers;
        this.random = random;
        this.leader = muster.awaitLeader(muster.nodes());
        this.untouched = new ArrayList<>(muster.nodes());
    }

    Machines machines() {
        return machines;
    }

    MusterCluster muster() {
        return muster;
    }

    KafkaBrokers brokers() {
        return brokers;
    }

    Random random() {
        return random;
    }

    /** The node that led when the round began, unless it was struck. */
    Optional<MusterNode> takeLeader() {
        return take(leader);
    }

    /** Any node that was not struck. */
    Optional<MusterNode> takeAny() {
        return untouched.isEmpty() ? Optional.empty() : take(untouched.get(random.nextInt(untouched.size())));
    }

    Optional<MusterNode> take(MusterNode node) {
        return untouched.remove(node) ? Optional.of(node) : Optional.empty();
    }

    /** So many nodes, if so many were not struck. */
    List<MusterNode> take(int count) {
        List<MusterNode> taken = new ArrayList<>();
        while (untouched.size() + taken.size() >= count && taken.size() < count) {
            takeAny().ifPresent(taken::add);
        }
        return taken;
    }

    /** Whether a node may lose its disk: one at a time. */
    boolean mayWipe() {
        boolean may = !someWiped;
        someWiped = true;
        return may;
    }

    boolean takeBrokers() {
        boolean taken = !brokersTouched;
        brokersTouched = true;
        return taken;
    }

    Optional<WallClock> takeClock() {
        Optional<WallClock> taken = clockTouched ? Optional.empty() : machines.clock();
        clockTouched = true;
        return taken;
    }

    boolean takeNetwork() {
        boolean taken = !networkTouched && machines.network().isPresent();
        networkTouched = true;
        return taken;
    }
}
