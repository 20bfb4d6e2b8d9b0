package io.muster.core;

/**
 * All that a decision may know besides the group and the commands.
 *
 * @param nowMillis the leader's clock, milliseconds since 1970
 * @param topics what is known of the upstream topics
 * @param config the cluster's defaults and limits
 * @param memory what this leadership remembers of the group
 * @param featureLevel what the cluster has agreed to write, see {@link FeatureLevel}
 */
public record DecisionContext(
        long nowMillis, TopicCatalogue topics, CoordinatorConfig config, LeaderMemory memory, int featureLevel) {
    /** A context at the highest level that this version knows. */
    public DecisionContext(long nowMillis, TopicCatalogue topics, CoordinatorConfig config, LeaderMemory memory) {
        this(nowMillis, topics, config, memory, FeatureLevel.SUPPORTED);
    }
}
