package io.muster.core;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one leadership remembers of a group and the log does not keep: emptied when the leadership ends and whenever an outcome
 * is unknown.
 *
 * @param commits commits admitted and not heard back
 * @param claim the claim operation that is under way
 * @param streams what the streams logic remembers
 */
public record LeaderMemory(CommitLedger commits, ClaimProgress claim, StreamsMemory streams) {
    /** A leadership that knows nothing yet: no hand-over before a fence. */
    public static final LeaderMemory UNKNOWN =
            new LeaderMemory(CommitLedger.UNKNOWN, ClaimProgress.IDLE, StreamsMemory.EMPTY);

    public LeaderMemory withCommits(CommitLedger next) {
        return new LeaderMemory(next, claim, streams);
    }

    public LeaderMemory withClaim(ClaimProgress next) {
        return new LeaderMemory(commits, next, streams);
    }

    public LeaderMemory withStreams(StreamsMemory next) {
        return new LeaderMemory(commits, claim, next);
    }

    /**
     * Commits in flight by admission id.
     *
     * @param known false until a fence passed, or the claim was taken, in this leadership
     */
    public record CommitLedger(boolean known, SortedMap<String, Admission> inFlight) {
        public static final CommitLedger UNKNOWN = new CommitLedger(false, new TreeMap<>());

        public CommitLedger {
            inFlight = Collections.unmodifiableSortedMap(new TreeMap<>(inFlight));
        }
    }

    /** One admitted commit. */
    public record Admission(String memberId, ClaimIdentity identity, Set<CommitCommand.TopicPartition> partitions) {
        public Admission {
            partitions = Set.copyOf(partitions);
        }
    }

    /**
     * The claim operation under way.
     *
     * @param operation what was asked of upstream and not heard back; empty if nothing
     * @param locked whether upstream was seen to list our member during the first join
     * @param failures tries in a row that did not succeed, for back-off
     * @param detail why the last one failed; empty if it did not
     */
    @SuppressWarnings("OptionalUsedAsFieldOrParameterType")
    public record ClaimProgress(Optional<ClaimOperation> operation, boolean locked, int failures, String detail) {
        public static final ClaimProgress IDLE = new ClaimProgress(Optional.empty(), false, 0, "");
    }

    /**
     * What the streams logic remembers.
     *
     * @param creationInFlight whether a gateway was asked to create internal topics and did not report yet
     * @param creationFailures message by topic of the last report
     * @param creationNotBeforeMillis back-off: no further try before this time
     * @param endpointEpoch the group's endpoint information epoch
     */
    public record StreamsMemory(
            boolean creationInFlight,
            Map<String, String> creationFailures,
            long creationNotBeforeMillis,
            int endpointEpoch) {
        public static final StreamsMemory EMPTY = new StreamsMemory(false, Map.of(), 0, 0);

        public StreamsMemory {
            creationFailures = Map.copyOf(creationFailures);
        }
    }
}
