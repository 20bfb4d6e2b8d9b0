package io.muster.core;

/**
 * All that a decision may know besides the group and the commands.
 *
 * @param nowMillis the leader's monotonic clock, milliseconds from an arbitrary origin: for all that one leadership remembers and
 *     compares
 * @param wallMillis milliseconds since 1970; may jump and differs from node to node: for people, and for what is stored
 * @param topicsCreatedAtMillis when a gateway last saw topics being created, by the monotonic clock; {@link LeaderMemory#NEVER} if
 *     none did
 * @param topics what is known of the upstream topics
 * @param config the cluster's defaults and limits
 * @param memory what this leadership remembers of the group
 * @param featureLevel what the cluster has agreed to write, see {@link FeatureLevel}
 * @param time the decision's logical time; its own if it admits a commit
 */
public record DecisionContext(
        long nowMillis,
        long wallMillis,
        long topicsCreatedAtMillis,
        TopicCatalogue topics,
        CoordinatorConfig config,
        LeaderMemory memory,
        int featureLevel,
        ShardTime time) {
    /** A context at the highest level that this version knows, both of whose clocks show the same. */
    public DecisionContext(long nowMillis, TopicCatalogue topics, CoordinatorConfig config, LeaderMemory memory) {
        this(nowMillis, nowMillis, LeaderMemory.NEVER, topics, config, memory, FeatureLevel.SUPPORTED, ShardTime.NONE);
    }

    /**
     * Whether so much time has passed since a wall time that some leader stored. A time ahead of this leader's clock counts as
     * long past, so that no clock delays anything by more than {@code delayMillis}.
     */
    public boolean hasPassedSince(long storedWallMillis, long delayMillis) {
        return storedWallMillis > wallMillis || storedWallMillis + delayMillis <= wallMillis;
    }
}
