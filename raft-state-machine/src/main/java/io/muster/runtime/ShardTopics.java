package io.muster.runtime;

import io.muster.core.LeaderMemory;
import io.muster.core.TopicCatalogue;
import java.util.SortedSet;
import java.util.TreeSet;

/** What is known of topics, and who cares. Confined to the shard's thread. */
final class ShardTopics {
    private final TopicRegistry registry = new TopicRegistry();
    private final TopicInterest interest = new TopicInterest();
    private final TopicWatch watch;
    private SortedSet<String> watched = new TreeSet<>();
    private boolean interestChanged;
    private long createdAtMillis = LeaderMemory.NEVER;

    ShardTopics(TopicWatch watch) {
        this.watch = watch;
    }

    TopicCatalogue catalogue() {
        return registry.catalogue();
    }

    /** A gateway saw topics being created. */
    void created(long nowMillis) {
        createdAtMillis = nowMillis;
    }

    /** When a gateway last saw topics being created, monotonic milliseconds; {@link LeaderMemory#NEVER} if none did. */
    long createdAtMillis() {
        return createdAtMillis;
    }

    /** Takes in a report; returns the groups for which something else is known now. */
    SortedSet<String> apply(TopicReport report, long nowMillis) {
        SortedSet<String> groupIds = new TreeSet<>();
        SortedSet<String> changed = registry.apply(report, nowMillis);
        changed.forEach(name -> groupIds.addAll(interest.groupsInterestedIn(name)));
        if (!watched.containsAll(changed)) {
            // A late report. What the watch was told of stays known until it is told otherwise: it reports nothing
            // twice.
            registry.watchOnly(watched);
        }
        return groupIds;
    }

    void noteInterest(GroupMailbox mailbox) {
        interestChanged |= interest.set(mailbox.groupId(), mailbox.interest());
    }

    /** While a decision is on its way, its group keeps its interest: what it needs afterwards is known then. */
    void keepInterest(GroupMailbox mailbox) {
        interestChanged |= interest.add(mailbox.groupId(), mailbox.interest());
    }

    /** Tells the watch which topics matter, if that changed. */
    void publish() {
        if (interestChanged) {
            interestChanged = false;
            watched = interest.topics();
            registry.watchOnly(watched);
            watch.watch(watched);
        }
    }

    void clear() {
        registry.clear();
        interest.clear();
        watched = new TreeSet<>();
        interestChanged = false;
    }
}
