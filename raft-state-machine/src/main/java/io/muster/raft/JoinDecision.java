package io.muster.raft;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a node does that holds nothing of a shard. It may have held something, acknowledged entries and given votes, and forgotten
 * them; docs/adr/0007 says why what is decided here is safe all the same.
 */
sealed interface JoinDecision {
    /** Begin with an empty log. No vote up to this term. */
    record Found(long term) implements JoinDecision {}

    /** Begin with a copy of what this leader has applied up to at least this index. No vote up to this term. */
    record Copy(String leaderId, long atLeast, long term) implements JoinDecision {}

    /** Ask again. */
    record Wait(String reason) implements JoinDecision {}

    /**
     * @param others ids of all other members
     * @param answers what those that answered since this node's start said, by id
     */
    static JoinDecision of(Set<String> others, Map<String, Standing> answers) {
        Set<String> silent = new TreeSet<>(others);
        silent.removeAll(answers.keySet());
        if (!silent.isEmpty()) {
            return new Wait("no answer of " + String.join(", ", silent));
        }
        long term = highestTerm(answers.values());
        if (answers.values().stream().allMatch(Standing::isEmpty)) {
            return new Found(term);
        }
        return answers.entrySet().stream()
                .filter(answer -> answer.getValue().leads() && answer.getValue().term() == term)
                .min(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .<JoinDecision>map(
                        leader -> new Copy(leader.getKey(), leader.getValue().lastIndex(), term))
                .orElseGet(() -> new Wait("the other nodes hold the shard, and none of them leads it"));
    }

    private static long highestTerm(Collection<Standing> answers) {
        return answers.stream().mapToLong(Standing::term).max().orElse(0);
    }
}
