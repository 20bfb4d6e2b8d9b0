package io.muster.core;

/** Something to do outside, once the decision's records are applied. The outcome comes back as a command. */
public sealed interface Effect {
    /** Do this to the group's claim on the upstream broker; comes back as {@link InternalCommand.ClaimReported}. */
    record ClaimUpstream(String groupId, ClaimOperation operation) implements Effect {}

    /** Compute this on another thread; comes back as {@link InternalCommand.TargetComputed}. */
    record ComputeTarget(String groupId, TargetComputation computation) implements Effect {}
}
