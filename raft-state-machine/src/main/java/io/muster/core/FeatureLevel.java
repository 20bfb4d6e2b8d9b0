package io.muster.core;

/**
 * What a cluster has agreed to write. It is kept in each shard's log and only ever rises, when an operator says that every node
 * runs a version that reads the next level: until then no record of a newer kind is written that an older node would stop at.
 *
 * <p>A new kind of record, or a new value in one, raises {@link #SUPPORTED}, gets its level in {@link #of}, and decisions that
 * would write it ask {@link DecisionContext#featureLevel} first.
 */
public final class FeatureLevel {
    /** The level of a cluster that was never raised. */
    public static final int FIRST = 1;

    /** The highest level that this version reads. */
    public static final int SUPPORTED = 1;

    private FeatureLevel() {}

    /** The level from which a record may be written. */
    public static int of(GroupRecord record) {
        return FIRST;
    }
}
