package io.muster.simulation;

import io.muster.raft.DrivenJoin;
import io.muster.storage.AppliedIndex;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A node that holds nothing of the shard: asks all others where they stand, until the product's decision is to copy a leader's state.
 * Questions, answers and copies are late, or lost.
 */
final class JoiningNode {
    private static final long ANSWERS_MILLIS = 1_000;
    private static final long COPY_MILLIS = 3_000;
    private static final long PERIOD_MILLIS = 200;

    private final SimulatedNode node;
    private final SimulatedCluster cluster;
    private final VirtualTime time;
    private final Set<Integer> others = new TreeSet<>();
    /** What is waited for now: whatever belongs to another step is too late. */
    private Object step = new Object();

    /** What another member copied for this one. */
    record Copied(Path files, AppliedIndex at) {}

    JoiningNode(SimulatedNode node, SimulatedCluster cluster) {
        this.node = node;
        this.cluster = cluster;
        this.time = cluster.time();
        cluster.nodes().stream().filter(other -> other != node).forEach(other -> others.add(other.id()));
    }

    private boolean isCurrent(Object ofStep) {
        return step == ofStep && node.isJoining(this);
    }

    void ask() {
        DrivenJoin round = new DrivenJoin(others);
        step = round;
        for (int other : others) {
            send(
                    other,
                    () -> cluster.node(other)
                            .answerJoin(
                                    round,
                                    answer -> cluster.network().send(other, node.id(), () -> {
                                        if (isCurrent(round)) {
                                            answer.run();
                                            decideIf(round.isComplete(), round);
                                        }
                                    })));
        }
        time.after(ANSWERS_MILLIS, () -> decideIf(true, round));
    }

    private void decideIf(boolean isOver, DrivenJoin round) {
        if (isOver && isCurrent(round)) {
            round.decide().ifPresentOrElse(this::copy, this::askLater);
        }
    }

    private void askLater() {
        Object pause = new Object();
        step = pause;
        time.after(PERIOD_MILLIS, () -> {
            if (isCurrent(pause)) {
                ask();
            }
        });
    }

    private void copy(DrivenJoin.Copy decision) {
        step = decision;
        time.trace("%s copies %s", node, decision);
        int leader = decision.leader();
        send(
                leader,
                () -> cluster.node(leader)
                        .process()
                        .ifPresent(process -> process.after(10 + time.pick(200), () -> {
                            Optional<Copied> copied = process.copyFor(node, decision.atLeast());
                            cluster.network().send(leader, node.id(), () -> {
                                if (isCurrent(decision)) {
                                    copied.ifPresentOrElse(files -> begin(decision, files), this::askLater);
                                }
                            });
                        })));
        time.after(COPY_MILLIS, () -> {
            if (isCurrent(decision)) {
                askLater();
            }
        });
    }

    private void begin(DrivenJoin.Copy decision, Copied copied) {
        if (time.chance(10)) {
            cluster.crash(node); // half-way: it holds nothing still
            return;
        }
        DrivenJoin.begin(node.directory(), copied.files(), copied.at());
        node.disk().beginAfter(copied.at(), decision.term());
        cluster.checks().joined();
        node.joined();
    }

    private void send(int to, Runnable delivery) {
        cluster.network().send(node.id(), to, delivery);
    }
}
