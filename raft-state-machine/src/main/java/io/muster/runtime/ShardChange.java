package io.muster.runtime;

import org.jspecify.annotations.Nullable;

/**
 * What an entry changes of the shard as a whole, beside its groups.
 *
 * @param featureLevel the level that the shard is raised to; 0 if it is not
 * @param claimMark what this leadership's claims upstream carry from now on; empty if that does not change
 * @param identity what the cluster was founded with; null but in the shard's first entry. A shard that has one keeps it
 */
public record ShardChange(
        int featureLevel, String claimMark, @Nullable ClusterIdentity identity) {
    public static final ShardChange NONE = new ShardChange(0, "", null);

    /** Raises the feature level only. */
    public static ShardChange raise(int featureLevel) {
        return new ShardChange(featureLevel, "", null);
    }
}
