package io.muster.core;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What follows from some commands: facts to log, then (once they are applied) replies, timers and effects.
 *
 * @param waiting indices of arrivals that stay in the mailbox until the group, its topics or its claim change, or until their
 *     patience ends; no record was emitted on their behalf
 * @param topicsNeeded names that waiting arrivals need to be known
 * @param after the group with all records folded in
 * @param memory what the leadership remembers from now on
 */
public record Decision(
        List<GroupRecord> records,
        List<Reply> replies,
        List<TimerChange> timers,
        List<Effect> effects,
        List<Integer> waiting,
        SortedSet<String> topicsNeeded,
        Group after,
        LeaderMemory memory) {
    public Decision {
        records = List.copyOf(records);
        replies = List.copyOf(replies);
        timers = List.copyOf(timers);
        effects = List.copyOf(effects);
        waiting = List.copyOf(waiting);
        topicsNeeded = Collections.unmodifiableSortedSet(new TreeSet<>(topicsNeeded));
    }

    /** The response to the arrival of this index. */
    public record Reply(int arrival, Response response) {}
}
