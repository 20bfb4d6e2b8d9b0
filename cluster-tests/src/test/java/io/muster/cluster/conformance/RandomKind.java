package io.muster.cluster.conformance;

import java.io.IOException;
import java.util.Map;

/** The kinds of groups that are driven at random. */
enum RandomKind {
    CONSUMER {
        @Override
        Map<RandomAction, Integer> weights() {
            return RandomConsumers.WEIGHTS;
        }

        @Override
        RandomGroup open(RandomTarget target, long seed) throws IOException {
            return new RandomConsumers(target);
        }
    },
    STREAMS {
        @Override
        Map<RandomAction, Integer> weights() {
            return RandomStreams.WEIGHTS;
        }

        @Override
        RandomGroup open(RandomTarget target, long seed) throws IOException {
            return new RandomStreams(target, RandomTopology.of(seed));
        }
    };

    /** How often each action is taken. */
    abstract Map<RandomAction, Integer> weights();

    /** A group of this kind, as its seed wants it. */
    abstract RandomGroup open(RandomTarget target, long seed) throws IOException;
}
