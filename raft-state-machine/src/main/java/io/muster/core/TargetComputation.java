package io.muster.core;

/**
 * A target that takes too long to be computed while others wait. Pure and immutable, so that any thread may run it.
 */
public interface TargetComputation {
    /** The target of the group as it was when the computation was made up. */
    ComputedTarget compute();

    /** What a computation found; one kind a group type. */
    interface ComputedTarget {
        /** The group epoch that it was computed for. */
        int groupEpoch();
    }
}
