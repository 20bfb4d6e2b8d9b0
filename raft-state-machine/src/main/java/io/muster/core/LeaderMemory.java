package io.muster.core;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one leadership remembers of a group and the log does not keep: emptied when the leadership ends and whenever an outcome
 * is unknown. All its times are the leader's monotonic milliseconds.
 *
 * @param commits commits admitted and not heard back
 * @param connections the connections by which members commit, as far as this leadership has heard of them
 * @param claim the claim operation that is under way
 * @param streams what the streams logic remembers
 * @param largeTarget how the target that is computed aside stands
 * @param patterns how the look-up of the group's patterns stands
 */
public record LeaderMemory(
        CommitLedger commits,
        CommitConnections connections,
        ClaimProgress claim,
        StreamsMemory streams,
        PatternLookUp patterns,
        LargeTarget largeTarget) {
    /** Long before anything that a clock shows, and far from the end of all numbers. */
    public static final long NEVER = Long.MIN_VALUE / 2;

    /**
     * Nothing is remembered. As long as the commits in flight are not known, no partition changes hands; a fence, or a claim that is
     * taken anew, makes them known.
     */
    public static final LeaderMemory UNKNOWN = new LeaderMemory(
            CommitLedger.UNKNOWN,
            CommitConnections.UNKNOWN,
            ClaimProgress.IDLE,
            StreamsMemory.EMPTY,
            PatternLookUp.NONE,
            LargeTarget.NONE);

    public LeaderMemory withCommits(CommitLedger next) {
        return new LeaderMemory(next, connections, claim, streams, patterns, largeTarget);
    }

    public LeaderMemory withConnections(CommitConnections next) {
        return new LeaderMemory(commits, next, claim, streams, patterns, largeTarget);
    }

    public LeaderMemory withClaim(ClaimProgress next) {
        return new LeaderMemory(commits, connections, next, streams, patterns, largeTarget);
    }

    public LeaderMemory withStreams(StreamsMemory next) {
        return new LeaderMemory(commits, connections, claim, next, patterns, largeTarget);
    }

    public LeaderMemory withPatterns(PatternLookUp next) {
        return new LeaderMemory(commits, connections, claim, streams, next, largeTarget);
    }

    public LeaderMemory withLargeTarget(LargeTarget next) {
        return new LeaderMemory(commits, connections, claim, streams, patterns, next);
    }

    /**
     * How a target that is computed aside stands.
     *
     * @param underWay the group epoch for which it is being computed; 0 if none is
     * @param givenUp the group epoch whose target could not be computed, or not be stored; 0 if there is none
     */
    public record LargeTarget(int underWay, int givenUp) {
        public static final LargeTarget NONE = new LargeTarget(0, 0);
    }

    /**
     * How the look-up of a group's patterns stands.
     *
     * @param askedAtMillis when a gateway was last asked; {@link #NEVER} if none was
     * @param answered whether it answered
     */
    public record PatternLookUp(long askedAtMillis, boolean answered) {
        public static final PatternLookUp NONE = new PatternLookUp(NEVER, true);
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

    /**
     * The connections by which members commit.
     *
     * @param completeSinceMillis every connection that a member committed by since then is known here; what the group keeps in its
     *     log may be older
     * @param newest by member id: the newest of them
     */
    public record CommitConnections(long completeSinceMillis, PersistentMap<String, MemberConnection> newest) {
        /** Not complete since any time. */
        public static final CommitConnections UNKNOWN = completeSince(Long.MAX_VALUE);

        /** None is known, since none was heard of since this time. */
        public static CommitConnections completeSince(long millis) {
            return new CommitConnections(millis, PersistentMap.empty());
        }

        public CommitConnections withNewest(PersistentMap<String, MemberConnection> next) {
            return new CommitConnections(completeSinceMillis, next);
        }
    }

    /** A connection by which a member commits, and when it was opened. */
    public record MemberConnection(String connectionId, long openedAtMillis) {}

    /** One admitted commit. */
    public record Admission(
            String memberId,
            String connectionId,
            ClaimIdentity identity,
            long admittedAtMillis,
            Set<CommitCommand.TopicPartition> partitions) {
        public Admission {
            partitions = Set.copyOf(partitions);
        }
    }

    /**
     * Where the claim stands beyond what the log keeps.
     *
     * @param operation what was asked of upstream and not heard back
     * @param wanted what to ask of upstream next, once it can be asked
     * @param locked whether upstream was seen to list our member during the first join
     * @param deletion admission id of the offset deletion for which the claim stepped aside
     * @param retryArmed whether nothing is asked of upstream before the retry timer fires
     * @param releaseArmed whether the timer runs after which an empty group is given up
     * @param trouble what went wrong lately
     */
    public record ClaimProgress(
            Optional<ClaimOperation> operation,
            Wanted wanted,
            boolean locked,
            Optional<String> deletion,
            boolean retryArmed,
            boolean releaseArmed,
            ClaimTrouble trouble) {
        public static final ClaimProgress IDLE = new ClaimProgress(
                Optional.empty(), Wanted.NOTHING, false, Optional.empty(), false, false, ClaimTrouble.NONE);

        /** What a claim needs of upstream. */
        public enum Wanted {
            NOTHING,
            JOIN,
            FENCE,
            LEAVE
        }

        public ClaimProgress started(ClaimOperation next) {
            return new ClaimProgress(
                    Optional.of(next), Wanted.NOTHING, false, deletion, retryArmed, releaseArmed, trouble);
        }

        /** Nothing is under way any more. */
        public ClaimProgress ended() {
            return new ClaimProgress(Optional.empty(), wanted, false, deletion, retryArmed, releaseArmed, trouble);
        }

        public ClaimProgress wanting(Wanted next) {
            return new ClaimProgress(operation, next, locked, deletion, retryArmed, releaseArmed, trouble);
        }

        public ClaimProgress nowLocked() {
            return new ClaimProgress(operation, wanted, true, deletion, retryArmed, releaseArmed, trouble);
        }

        public ClaimProgress withDeletion(Optional<String> next) {
            return new ClaimProgress(operation, wanted, locked, next, retryArmed, releaseArmed, trouble);
        }

        public ClaimProgress withRetryArmed(boolean next) {
            return new ClaimProgress(operation, wanted, locked, deletion, next, releaseArmed, trouble);
        }

        public ClaimProgress withReleaseArmed(boolean next) {
            return new ClaimProgress(operation, wanted, locked, deletion, retryArmed, next, trouble);
        }

        public ClaimProgress withTrouble(ClaimTrouble next) {
            return new ClaimProgress(operation, wanted, locked, deletion, retryArmed, releaseArmed, next);
        }
    }

    /**
     * What went wrong with the claim lately.
     *
     * @param failures tries in a row that did not succeed, for back-off
     * @param detail why the last one failed; empty if it did not
     * @param elsewhereAtMillis when upstream last said that others live in the group: joins that arrived before are refused
     * @param occupants who lived there then; empty if upstream never said so
     */
    public record ClaimTrouble(
            int failures, String detail, long elsewhereAtMillis, Optional<ClaimOutcome.Occupants> occupants) {
        public static final ClaimTrouble NONE = new ClaimTrouble(0, "", NEVER, Optional.empty());

        public ClaimTrouble withFailures(int count, String why) {
            return new ClaimTrouble(count, why, elsewhereAtMillis, occupants);
        }
    }

    /**
     * What the streams logic remembers.
     *
     * @param creation how the creation of internal topics stands
     * @param endpointEpoch the group's endpoint information epoch
     * @param delayEndsAtMillis when the initial rebalance delay is over; {@link #NEVER} if none runs
     * @param descriptionAskedAtMillis when a member was last asked to describe the topology; {@link #NEVER} if none was
     * @param reading how the reading of changelogs' ends stands
     * @param justFounded whether the group had no heartbeat but the one that founded it: describe shows no partition counts then
     */
    public record StreamsMemory(
            TopicCreation creation,
            int endpointEpoch,
            long delayEndsAtMillis,
            long descriptionAskedAtMillis,
            EndOffsetReading reading,
            boolean justFounded) {
        public static final StreamsMemory EMPTY =
                new StreamsMemory(TopicCreation.IDLE, 0, NEVER, NEVER, EndOffsetReading.IDLE, false);

        public StreamsMemory withCreation(TopicCreation next) {
            return new StreamsMemory(
                    next, endpointEpoch, delayEndsAtMillis, descriptionAskedAtMillis, reading, justFounded);
        }

        public StreamsMemory withEndpointEpoch(int next) {
            return new StreamsMemory(creation, next, delayEndsAtMillis, descriptionAskedAtMillis, reading, justFounded);
        }

        public StreamsMemory withDelayEndsAtMillis(long next) {
            return new StreamsMemory(creation, endpointEpoch, next, descriptionAskedAtMillis, reading, justFounded);
        }

        public StreamsMemory withDescriptionAskedAtMillis(long next) {
            return new StreamsMemory(creation, endpointEpoch, delayEndsAtMillis, next, reading, justFounded);
        }

        public StreamsMemory withJustFounded(boolean next) {
            return new StreamsMemory(
                    creation, endpointEpoch, delayEndsAtMillis, descriptionAskedAtMillis, reading, next);
        }

        public StreamsMemory withReading(EndOffsetReading next) {
            return new StreamsMemory(
                    creation, endpointEpoch, delayEndsAtMillis, descriptionAskedAtMillis, next, justFounded);
        }
    }

    /**
     * How the creation of a group's internal topics stands.
     *
     * @param inFlight whether a gateway was asked to create topics and did not report yet
     * @param failures message by topic of the last report
     * @param tries requests in a row after which topics were missing still, for back-off
     * @param notBeforeMillis no further request before this time
     */
    public record TopicCreation(boolean inFlight, SortedMap<String, String> failures, int tries, long notBeforeMillis) {
        public static final TopicCreation IDLE = new TopicCreation(false, new TreeMap<>(), 0, NEVER);

        public TopicCreation {
            failures = Collections.unmodifiableSortedMap(new TreeMap<>(failures));
        }
    }

    /**
     * How the reading of changelogs' ends stands.
     *
     * @param askedAtMillis when a gateway was asked that did not answer yet; {@link #NEVER} if none is
     * @param again whether members reported other offsets since a gateway was asked
     * @param failures answers in a row that were not whole, for back-off
     * @param notBeforeMillis no further request before this time
     * @param readAtMillis time of the last answer; {@link #NEVER} if there was none
     * @param ends the sums of ends by task in that answer
     */
    public record EndOffsetReading(
            long askedAtMillis,
            boolean again,
            int failures,
            long notBeforeMillis,
            long readAtMillis,
            List<TaskOffset> ends) {
        public static final EndOffsetReading IDLE = new EndOffsetReading(NEVER, false, 0, NEVER, NEVER, List.of());

        public EndOffsetReading {
            ends = List.copyOf(ends);
        }

        public EndOffsetReading askedAt(long millis) {
            return new EndOffsetReading(millis, false, failures, notBeforeMillis, readAtMillis, ends);
        }

        public EndOffsetReading toBeReadAgain() {
            return new EndOffsetReading(askedAtMillis, true, failures, notBeforeMillis, readAtMillis, ends);
        }

        public EndOffsetReading readAt(long millis, List<TaskOffset> sums) {
            return new EndOffsetReading(NEVER, again, 0, NEVER, millis, sums);
        }

        public EndOffsetReading failed(long notBefore) {
            return new EndOffsetReading(NEVER, true, failures + 1, notBefore, readAtMillis, ends);
        }
    }
}
