package io.muster.raft;

import io.muster.raft.Standing.Kind;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a node does that has forgotten something of a shard: all that it held, or only its term and vote. It may have acknowledged
 * entries and given votes; docs/adr/0007 says why what is decided here is safe all the same.
 */
sealed interface JoinDecision {
    /** Begin with an empty log. No vote up to this term. */
    record Found(long term) implements JoinDecision {}

    /** Begin with a copy of what this leader has applied up to at least this index. No vote up to this term. */
    record Copy(String leaderId, long atLeast, long term) implements JoinDecision {}

    /** Go on with the log that is here. No vote up to this term. */
    record GoOn(long term) implements JoinDecision {}

    /** Ask again. */
    record Wait(String reason) implements JoinDecision {}

    /** More terms than can have come and gone without any log, or any member that remembers, knowing one of them. */
    long FORGOTTEN_TERMS = 1_000_000;

    /**
     * For a node that holds nothing.
     *
     * @param others ids of all other members
     * @param answers what those that answered since this node's start said, by id
     */
    static JoinDecision of(Set<String> others, Map<String, Standing> answers) {
        Optional<Wait> silence = silence(others, answers);
        if (silence.isPresent()) {
            return silence.get();
        }
        if (answers.values().stream().anyMatch(answer -> answer.kind() == Kind.VOTE_LOST)) {
            return new Wait("another node has lost its term and vote, and finds out which term it can go on in");
        }
        long term = highestTerm(answers.values());
        if (answers.values().stream().allMatch(Standing::isEmpty)) {
            return new Found(term);
        }
        return answers.entrySet().stream()
                .filter(answer -> answer.getValue().kind() == Kind.LEADS
                        && answer.getValue().term() == term)
                .min(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .<JoinDecision>map(
                        leader -> new Copy(leader.getKey(), leader.getValue().lastIndex(), term))
                .orElseGet(() -> new Wait("the other nodes hold the shard, and none of them leads it"));
    }

    /**
     * For a node that has its log, and has lost its term and vote.
     *
     * @param lastTerm the highest term that its log and store know
     */
    static JoinDecision ofLostVote(long lastTerm, Set<String> others, Map<String, Standing> answers) {
        Optional<Wait> silence = silence(others, answers);
        if (silence.isPresent()) {
            return silence.get();
        }
        long term = Math.max(lastTerm, highestTerm(answers.values()));
        boolean allRemember = answers.values().stream().allMatch(Standing::remembersVotes);
        return new GoOn(allRemember ? term : term + FORGOTTEN_TERMS);
    }

    private static Optional<Wait> silence(Set<String> others, Map<String, Standing> answers) {
        Set<String> silent = new TreeSet<>(others);
        silent.removeAll(answers.keySet());
        return silent.isEmpty() ? Optional.empty() : Optional.of(new Wait("no answer of " + String.join(", ", silent)));
    }

    private static long highestTerm(Collection<Standing> answers) {
        return answers.stream().mapToLong(Standing::term).max().orElse(0);
    }
}
