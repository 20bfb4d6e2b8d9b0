package io.muster.cluster.conformance;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The same random steps on two targets, until they are over or the targets' answers differ.
 *
 * @param steps how many were answered alike
 * @param difference what differed without an explanation
 * @param explanations why answers differed on the way
 */
record RandomComparison(int steps, Optional<String> difference, List<Explanation> explanations) {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final boolean TRACE = Boolean.getBoolean("random.trace");

    /** A sequence of steps on both targets. */
    record Sequence(RandomKind kind, long seed, int count) {
        RandomComparison on(Target kafka, Target muster) throws IOException {
            String suffix = "r" + seed + "x" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
            try (RandomGroup onKafka = kind.open(new RandomTarget(kafka, suffix + "a"), seed);
                    RandomGroup onMuster = kind.open(new RandomTarget(muster, suffix + "b"), seed)) {
                return compared(onKafka, onMuster);
            }
        }

        private RandomComparison compared(RandomGroup onKafka, RandomGroup onMuster) throws IOException {
            List<RandomStep> steps = RandomStep.sequence(kind, seed, count);
            List<Explanation> explanations = new ArrayList<>();
            for (int i = 0; i < steps.size(); i++) {
                RandomReply ofKafka = onKafka.play(steps.get(i));
                RandomReply ofMuster = awaited(onMuster.play(steps.get(i)), ofKafka, onMuster);
                if (TRACE) {
                    System.out.printf("%d %s%n  Kafka:  %s%n  Muster: %s%n", i, steps.get(i), ofKafka, ofMuster);
                }
                if (ofKafka.equals(ofMuster) && ofMuster.picture().doubles().isEmpty()) {
                    continue;
                }
                Optional<Explanation> explanation = Explanation.of(ofKafka, ofMuster);
                explanation.ifPresent(explanations::add);
                Optional<Explanation.Sequel> sequel = explanation.map(each -> each.sequel(ofKafka, ofMuster));
                if (sequel.equals(Optional.of(Explanation.Sequel.END))) {
                    return new RandomComparison(i, Optional.empty(), explanations);
                }
                Optional<String> difference = sequel.isPresent()
                        ? following(sequel.get(), onKafka, onMuster)
                        : Optional.of("%n  Kafka:  %s%n  Muster: %s".formatted(ofKafka, ofMuster));
                if (difference.isPresent()) {
                    String where = "%s seed %d, step %d, %s%s"
                            .formatted(
                                    kind,
                                    seed,
                                    i,
                                    steps.get(i),
                                    explanation.map(Explanation::name).orElse(""));
                    return new RandomComparison(i, Optional.of(where + difference.get()), explanations);
                }
            }
            return new RandomComparison(count, Optional.empty(), explanations);
        }

        /** What nobody waits for may come a little later. */
        private static RandomReply awaited(RandomReply first, RandomReply expected, RandomGroup group)
                throws IOException {
            Deadline deadline = Deadline.in(LIMIT);
            RandomReply reply = first;
            Optional<RandomReply> again = Optional.of(first);
            while (!reply.equals(expected) && again.isPresent() && !deadline.isPast()) {
                Deadline.pass(RandomMembers.SEEN_MILLIS);
                again = group.lookAgain();
                reply = again.orElse(reply);
            }
            return reply;
        }

        private static Optional<String> following(Explanation.Sequel sequel, RandomGroup onKafka, RandomGroup onMuster)
                throws IOException {
            return sequel == Explanation.Sequel.REALIGN ? realigned(onKafka, onMuster) : Optional.empty();
        }

        /** Brings both groups to where they are alike again; says what differs if they cannot. */
        private static Optional<String> realigned(RandomGroup onKafka, RandomGroup onMuster) throws IOException {
            GroupPicture settledKafka = onKafka.settle();
            GroupPicture settledMuster = onMuster.settle();
            if (!settledKafka.agreesWith(settledMuster) || !settledMuster.isSharedLike(settledKafka)) {
                return Optional.of(", settled%n  Kafka:  %s%n  Muster: %s".formatted(settledKafka, settledMuster));
            }
            if (settledKafka.equals(settledMuster)) {
                return Optional.empty();
            }
            GroupPicture emptyKafka = onKafka.leave();
            GroupPicture emptyMuster = onMuster.leave();
            return emptyKafka.equals(emptyMuster)
                    ? Optional.empty()
                    : Optional.of(", left%n  Kafka:  %s%n  Muster: %s".formatted(emptyKafka, emptyMuster));
        }
    }
}
