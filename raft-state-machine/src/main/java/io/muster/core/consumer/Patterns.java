package io.muster.core.consumer;

import io.muster.core.ConsumerCommand.PatternsResolved;
import io.muster.core.ConsumerGroupRecord.PatternForgotten;
import io.muster.core.ConsumerGroupRecord.PatternResolved;
import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.KnownTopics;
import io.muster.core.LeaderMemory.PatternLookUp;
import io.muster.core.Response;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Subscriptions by pattern. Which topics a pattern matches is looked up by a gateway, on the connection of a member that sent a
 * heartbeat, so that the member's permissions decide; the answer comes back as a command and counts for the whole group, as in
 * Kafka.
 */
final class Patterns {
    /** As in Kafka, a group's patterns are looked up no more often than this once any of them is resolved. */
    private static final long MIN_INTERVAL_MILLIS = 10_000;

    /** As soon as this, once topics were created: one look serves those that are created together. */
    private static final long NEWS_INTERVAL_MILLIS = 1_000;

    /** How long a gateway may take to answer, milliseconds. */
    private static final long ANSWER_MILLIS = 10_000;

    private Patterns() {}

    /** The patterns that the gateway shall look up now; none if it was asked lately. Remembers that it was asked. */
    static SortedSet<String> toResolve(GroupDraft draft) {
        ConsumerMembers members = ConsumerGroup.of(draft).members();
        if (members.patternUsers().byKey().isEmpty()) {
            return Collections.emptySortedSet();
        }
        TreeSet<String> used = new TreeSet<>(members.patternUsers().byKey().keys());
        long resolved = used.stream()
                .filter(pattern -> members.patterns().find(pattern).isPresent())
                .count();
        long now = draft.context().nowMillis();
        PatternLookUp last = draft.memory().patterns();
        if (last.equals(PatternLookUp.NONE) && resolved == used.size()) {
            // A new leader knows what its predecessor resolved: it looks again once that may be old.
            draft.remember(draft.memory().withPatterns(new PatternLookUp(now, true)));
            return Collections.emptySortedSet();
        }
        boolean pending = !last.answered() && now < last.askedAtMillis() + ANSWER_MILLIS;
        if (pending || (resolved > 0 && now < last.askedAtMillis() + interval(draft, resolved == used.size()))) {
            return Collections.emptySortedSet();
        }
        draft.remember(draft.memory().withPatterns(new PatternLookUp(now, false)));
        return used;
    }

    /** How long a look-up counts: not long while a pattern is not resolved, or once topics were created. */
    private static long interval(GroupDraft draft, boolean allResolved) {
        if (!allResolved) {
            return MIN_INTERVAL_MILLIS;
        }
        boolean news = draft.context().topicsCreatedAtMillis()
                >= draft.memory().patterns().askedAtMillis();
        return news ? NEWS_INTERVAL_MILLIS : draft.context().config().patternRefreshMillis();
    }

    /** Takes in what a gateway found. Waits until the topics are known that it names. */
    static void resolved(GroupDraft draft, int index, boolean mayWait, PatternsResolved found) {
        TreeSet<String> matched = new TreeSet<>();
        found.topics().values().forEach(matched::addAll);
        TreeSet<String> unknown = KnownTopics.of(draft).unknownAmong(matched);
        if (!unknown.isEmpty() && mayWait) {
            draft.awaitTopics(index, unknown);
            return;
        }
        List<String> changed = new ArrayList<>();
        found.topics().forEach((pattern, topics) -> {
            if (resolve(draft, pattern, topics)) {
                changed.add("pattern " + pattern + " matches " + topics);
            }
        });
        if (!changed.isEmpty()) {
            ConsumerGroupEpoch.raise(draft, Reason.SUBSCRIPTION_CHANGED, "", String.join(", ", changed));
        }
        draft.remember(draft.memory()
                .withPatterns(new PatternLookUp(draft.memory().patterns().askedAtMillis(), true)));
        draft.reply(index, new Response.Done());
    }

    /** Records what a pattern matches if that is news; returns whether the group subscribes to other topics for it. */
    private static boolean resolve(GroupDraft draft, String pattern, SortedSet<String> topics) {
        ConsumerMembers members = ConsumerGroup.of(draft).members();
        SortedSet<String> before = members.patterns().find(pattern).orElse(null);
        if (!members.patternUsers().contains(pattern) || topics.equals(before)) {
            return false;
        }
        draft.emit(new PatternResolved(pattern, topics));
        return before != null || !topics.isEmpty() || anybodyHasMore(draft, pattern);
    }

    /** Whether a member came from another subscription and has a target still that this one does not give it. */
    private static boolean anybodyHasMore(GroupDraft draft, String pattern) {
        return ConsumerGroup.of(draft).members().all().stream()
                .filter(member -> member.profile().subscribedTopicRegex().equals(pattern))
                .anyMatch(member -> !ConsumerTargetAssignments.subscribedTopics(draft.group(), member.profile())
                        .containsAll(member.target().byKey().keySet()));
    }

    static boolean isResolved(GroupDraft draft, String pattern) {
        return !pattern.isEmpty()
                && ConsumerGroup.of(draft).members().patterns().find(pattern).isPresent();
    }

    /** Forgets what patterns match that nobody subscribes by any more. */
    static void forgetUnused(GroupDraft draft) {
        ConsumerMembers members = ConsumerGroup.of(draft).members();
        for (String pattern : new TreeSet<>(members.patterns().keys())) {
            if (!members.patternUsers().contains(pattern)) {
                draft.emit(new PatternForgotten(pattern));
            }
        }
    }
}
