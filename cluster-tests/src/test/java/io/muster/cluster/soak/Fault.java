package io.muster.cluster.soak;

import io.grpc.StatusRuntimeException;
import io.muster.cluster.nodes.MusterNode;
import io.muster.cluster.nodes.NodeNetwork;
import io.muster.cluster.nodes.SmallDisk;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** What may go wrong, for a time that is far below any session timeout. The faults of a seed depend on the order. */
enum Fault {
    LEADER_KILLED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            return scene.takeLeader().map(node -> with(List.of(node), MusterNode::kill, MusterNode::launch));
        }
    },
    NODE_KILLED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            return scene.takeAny().map(node -> with(List.of(node), MusterNode::kill, MusterNode::launch));
        }
    },
    LEADER_PAUSED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            return scene.takeLeader().map(node -> with(List.of(node), MusterNode::pause, MusterNode::resume));
        }
    },
    NODE_PAUSED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            return scene.takeAny().map(node -> with(List.of(node), MusterNode::pause, MusterNode::resume));
        }
    },
    NODE_WIPED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            if (!scene.mayWipe()) {
                return Optional.empty();
            }
            return scene.takeAny().map(node -> with(List.of(node), Fault::wipe, MusterNode::launch));
        }
    },
    TWO_KILLED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            return several(scene.take(2), MusterNode::kill, MusterNode::launch);
        }
    },
    TWO_PAUSED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            return several(scene.take(2), MusterNode::pause, MusterNode::resume);
        }
    },
    ALL_KILLED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            return several(scene.take(Machines.NODES), MusterNode::kill, MusterNode::launch);
        }
    },
    ALL_PAUSED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            return several(scene.take(Machines.NODES), MusterNode::pause, MusterNode::resume);
        }
    },
    LEADERSHIP_TRANSFERRED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            return scene.takeAny().flatMap(node -> {
                try {
                    scene.muster().transferLeadership(node);
                    return Optional.of(() -> {});
                } catch (StatusRuntimeException refused) {
                    return Optional.empty();
                }
            });
        }
    },
    NODE_CUT_OFF {
        @Override
        Optional<Runnable> begin(Scene scene) {
            int node = scene.random().nextInt(Machines.NODES);
            List<Integer> others = IntStream.range(0, Machines.NODES)
                    .filter(each -> each != node)
                    .boxed()
                    .toList();
            return network(scene)
                    .map(network ->
                            with(others, other -> network.cut(node, other), other -> network.mend(node, other)));
        }
    },
    LINK_CUT {
        @Override
        Optional<Runnable> begin(Scene scene) {
            int one = scene.random().nextInt(Machines.NODES);
            int other = (one + 1) % Machines.NODES;
            return network(scene)
                    .map(network -> with(List.of(other), to -> network.cut(one, to), to -> network.mend(one, to)));
        }
    },
    DISK_FULL {
        @Override
        Optional<Runnable> begin(Scene scene) {
            Optional<SmallDisk> disk = scene.machines().disk();
            boolean taken = disk.isPresent()
                    && scene.take(scene.muster().nodes().get(Machines.WITH_DISK))
                            .isPresent();
            return taken ? disk.map(full -> with(List.of(full), SmallDisk::fill, SmallDisk::free)) : Optional.empty();
        }
    },
    CLOCK_JUMPED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            Duration ahead =
                    Duration.ofSeconds(scene.random().nextInt(-FURTHEST_CLOCK_SECONDS, FURTHEST_CLOCK_SECONDS));
            return scene.takeClock().map(clock -> {
                clock.set(ahead);
                // It stays like that.
                return () -> {};
            });
        }
    },
    BROKER_KILLED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            return scene.takeBrokers()
                    ? Optional.of(with(List.of(0), scene.brokers()::kill, scene.brokers()::restart))
                    : Optional.empty();
        }
    },
    BROKER_PAUSED {
        @Override
        Optional<Runnable> begin(Scene scene) {
            return scene.takeBrokers()
                    ? Optional.of(with(List.of(0), scene.brokers()::pause, scene.brokers()::resume))
                    : Optional.empty();
        }
    };

    private static final int FURTHEST_CLOCK_SECONDS = 900;

    /** Lets it happen; returns how it ends, or nothing if it could not happen now. */
    abstract Optional<Runnable> begin(Scene scene);

    /** Strikes all of these; returns what sets them right again. */
    private static <T> Runnable with(List<T> struck, Consumer<T> strike, Consumer<T> setRight) {
        struck.forEach(strike);
        return () -> struck.forEach(setRight);
    }

    private static Optional<Runnable> several(
            List<MusterNode> nodes, Consumer<MusterNode> strike, Consumer<MusterNode> setRight) {
        return nodes.isEmpty() ? Optional.empty() : Optional.of(with(nodes, strike, setRight));
    }

    private static void wipe(MusterNode node) {
        node.kill();
        node.wipe();
    }

    private static Optional<NodeNetwork> network(Scene scene) {
        return scene.takeNetwork() ? scene.machines().network() : Optional.empty();
    }
}
