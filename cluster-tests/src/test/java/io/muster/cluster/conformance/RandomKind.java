package io.muster.cluster.conformance;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** The kinds of groups that are driven at random. */
enum RandomKind {
    CONSUMER(RandomConsumers.MEMBERS) {
        @Override
        Map<String, Integer> weights() {
            Map<String, Integer> weights = new TreeMap<>();
            for (RandomConsumers.Action action : RandomConsumers.Action.values()) {
                weights.put(action.name(), action.weight());
            }
            return weights;
        }

        @Override
        RandomGroup open(Target target, String suffix) throws IOException {
            return new RandomConsumers(new RandomTarget(target, suffix));
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

    /** @param suffix makes the names of this run its own */
    abstract RandomGroup open(Target target, String suffix) throws IOException;
}
