package io.muster.cluster.conformance;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kinds of groups that are driven at random. */
enum RandomKind {
    CONSUMER(RandomConsumers.MEMBERS) {
        @Override
        Map<String, Integer> weights() {
            return Stream.of(RandomConsumers.Action.values())
                    .collect(Collectors.toMap(Enum::name, RandomConsumers.Action::weight, Integer::sum, TreeMap::new));
        }

        @Override
        RandomGroup open(RandomTarget target, long seed) throws IOException {
            return new RandomConsumers(target);
        }
    },
    STREAMS(RandomStreams.MEMBERS) {
        @Override
        Map<String, Integer> weights() {
            return Stream.of(RandomStreams.Action.values())
                    .collect(Collectors.toMap(Enum::name, RandomStreams.Action::weight, Integer::sum, TreeMap::new));
        }

        @Override
        RandomGroup open(RandomTarget target, long seed) throws IOException {
            return new RandomStreams(target, RandomTopology.of(seed));
        }
    };

    private final int members;

    RandomKind(int members) {
        this.members = members;
    }

    int members() {
        return members;
    }

    /** How often each action is taken, by its name. */
    abstract Map<String, Integer> weights();

    /** A group of this kind, as its seed wants it. */
    abstract RandomGroup open(RandomTarget target, long seed) throws IOException;
}
