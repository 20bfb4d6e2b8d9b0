package io.muster.cluster.conformance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * One thing that a random client does.
 *
 * @param action one that the kind of group knows
 * @param member which member does it, from 0
 * @param choice decides between the variants of the action, 0 or more
 */
record RandomStep(RandomAction action, int member, int choice) {
    private static final int CHOICES = 60;

    /** The steps that belong to a seed: the same ones each time. */
    static List<RandomStep> sequence(RandomKind kind, long seed, int count) {
        List<RandomAction> weighted = new ArrayList<>();
        for (RandomAction action : RandomAction.values()) {
            weighted.addAll(Collections.nCopies(kind.weights().getOrDefault(action, 0), action));
        }
        Random random = new Random(seed);
        return Stream.generate(() -> new RandomStep(
                        weighted.get(random.nextInt(weighted.size())),
                        random.nextInt(RandomMembers.MEMBERS),
                        random.nextInt(CHOICES)))
                .limit(count)
                .toList();
    }

    /** One of as many variants, from 0. */
    int oneOf(int variants) {
        return choice % variants;
    }
}
