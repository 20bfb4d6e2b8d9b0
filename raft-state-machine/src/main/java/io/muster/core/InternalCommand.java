package io.muster.core;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/** What Muster tells a group itself: timers, topics, outcomes of effects. */
public sealed interface InternalCommand extends Command {
    /**
     * A timer fired.
     *
     * @param epoch the epoch that the timer was armed with; stale timers are ignored by the logic that armed them
     */
    record TimerFired(String groupId, TimerKey timer, int epoch) implements InternalCommand {}

    /** The catalogue changed for a topic in which the group has an interest. */
    record TopicsChanged(String groupId) implements InternalCommand {}

    /**
     * The outcome of an {@link Effect.ClaimUpstream}.
     *
     * @param operation what was asked: a report of anything but the operation under way is stale
     */
    record ClaimReported(String groupId, ClaimOperation operation, ClaimOutcome outcome) implements InternalCommand {}

    /**
     * The outcome of creating internal topics.
     *
     * @param failures message by topic name; empty if all were created or existed already
     */
    record InternalTopicsReported(String groupId, SortedMap<String, String> failures) implements InternalCommand {
        /** The message for topics that the client may not create; nothing was tried then. */
        public static final String UNAUTHORIZED = "Unauthorized to CREATE";
    }

    /**
     * The outcome of an {@link Effect.ComputeTarget}.
     *
     * @param target empty if the computation failed, or the log cannot hold what it found
     */
    record TargetComputed(String groupId, Optional<TargetComputation.ComputedTarget> target)
            implements InternalCommand {}

    /** The history of a group that is gone may be older than it is kept. */
    record HistoryOutlived(String groupId) implements InternalCommand {}

    /**
     * What a gateway found for the patterns of a group on the connection of one of its members.
     *
     * @param topics the names that match, by pattern
     */
    record PatternsResolved(String groupId, SortedMap<String, SortedSet<String>> topics) implements InternalCommand {}

    /**
     * What a gateway read of the ends of changelogs; those that it could not read are left out.
     */
    record EndOffsetsRead(String groupId, List<PartitionEnd> ends) implements InternalCommand {
        public EndOffsetsRead {
            ends = List.copyOf(ends);
        }
    }

    /** The offset after the last record of a partition. */
    record PartitionEnd(String topic, int partition, long offset) {}

    /** The group was loaded by a new leader: arm its timers and see to its claim. */
    record Loaded(String groupId) implements InternalCommand {}
}
