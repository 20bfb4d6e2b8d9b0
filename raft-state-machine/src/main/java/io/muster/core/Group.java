package io.muster.core;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * All that Muster knows of a group. A deleted group keeps its history and configs. Holds immutable values only, as the records of
 * groups do, and copies none of them: each record makes another group.
 *
 * @param history oldest first, at most {@link HistoryEntry#LIMIT}
 * @param configs the group's own configs by Kafka's names
 * @param topicBasis what the last target assignment was computed on, by topic name
 * @param commitConnections by member id: the newest connection that it has committed by
 */
public record Group(
        String id,
        TypedGroup typed,
        Claim claim,
        List<HistoryEntry> history,
        SortedMap<String, String> configs,
        SortedMap<String, TopicInfo> topicBasis,
        PersistentMap<String, CommitConnection> commitConnections) {
    /** A group of which nothing is known. */
    public static Group absent(String id) {
        return new Group(
                id,
                new NoGroup(),
                new Claim.None(),
                List.of(),
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                PersistentMap.empty());
    }

    public boolean exists() {
        return typed.type().isPresent();
    }

    public Group withTyped(TypedGroup next) {
        return new Group(id, next, claim, history, configs, topicBasis, commitConnections);
    }

    public Group withClaim(Claim next) {
        return new Group(id, typed, next, history, configs, topicBasis, commitConnections);
    }

    public Group withHistory(List<HistoryEntry> next) {
        return new Group(id, typed, claim, next, configs, topicBasis, commitConnections);
    }

    public Group withConfigs(SortedMap<String, String> next) {
        return new Group(id, typed, claim, history, next, topicBasis, commitConnections);
    }

    public Group withTopicBasis(SortedMap<String, TopicInfo> next) {
        return new Group(id, typed, claim, history, configs, next, commitConnections);
    }

    public Group withCommitConnections(PersistentMap<String, CommitConnection> next) {
        return new Group(id, typed, claim, history, configs, topicBasis, next);
    }
}
