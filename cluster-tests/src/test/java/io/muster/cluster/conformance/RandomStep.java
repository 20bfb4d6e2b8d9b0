package io.muster.cluster.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * One thing that a random client does.
 *
 * @param action name of an action of the kind of group
 * @param member which member does it, from 0
 * @param choice decides between the variants of the action, 0 or more
 */
record RandomStep(String action, int member, int choice) {
    private static final int CHOICES = 60;

    /** The steps that belong to a seed: the same ones each time. */
    static List<RandomStep> sequence(RandomKind kind, long seed, int count) {
        List<String> weighted = new ArrayList<>();
        kind.weights().forEach((action, weight) -> {
            for (int i = 0; i < weight; i++) {
                weighted.add(action);
            }
        });
        Random random = new Random(seed);
        return Stream.generate(() -> new RandomStep(
                        weighted.get(random.nextInt(weighted.size())),
                        random.nextInt(kind.members()),
                        random.nextInt(CHOICES)))
                .limit(count)
                .toList();
    }

    /** One of as many variants, from 0. */
    int oneOf(int variants) {
        return choice % variants;
    }
}
