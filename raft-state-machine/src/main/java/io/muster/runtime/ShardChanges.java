package io.muster.runtime;

import io.muster.core.FeatureLevel;
import io.muster.core.GroupError;
import io.muster.core.Response;
import java.util.concurrent.CompletableFuture;

/** Changes the shard itself, beside its groups, and knows the feature level that is agreed on. Confined to the shard's thread. */
final class ShardChanges {
    private static final String NOT_RAISED = "The feature level is not raised yet; it may be later.";

    private final AppliedGroups groups;
    private final Proposals proposals;
    /** What the cluster has agreed to write; 0 if it has to be read first. */
    private int featureLevel;

    ShardChanges(AppliedGroups groups, Proposals proposals) {
        this.groups = groups;
        this.proposals = proposals;
    }

    /** The highest feature level that may be written; reads the store after a change. */
    int featureLevel() {
        if (featureLevel == 0) {
            featureLevel = groups.featureLevel();
        }
        return featureLevel;
    }

    /** Completes on the shard's thread, with whether the change is known to be applied. */
    CompletableFuture<Boolean> propose(ShardChange change) {
        featureLevel = 0;
        return proposals.change(change).thenApply(applied -> {
            featureLevel = 0;
            return applied;
        });
    }

    /** Raises the shard to a level; a refusal as a value if that cannot be. Never completes exceptionally. */
    CompletableFuture<Response> raise(int level) {
        if (level < FeatureLevel.FIRST || level > FeatureLevel.SUPPORTED) {
            return CompletableFuture.completedFuture(new Response.Refused(
                    GroupError.INVALID_REQUEST, "This node knows no feature level " + level + "."));
        }
        return propose(ShardChange.raise(level))
                .thenApply(applied -> featureLevel() >= level
                        ? new Response.Done()
                        : new Response.Refused(GroupError.NOT_COORDINATOR, NOT_RAISED));
    }
}
