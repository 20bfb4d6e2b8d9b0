package io.muster.core;

/**
 * What a cluster has agreed to write. It is kept in each shard's log and only ever rises, when an operator says that every node
 * runs a version that reads the next level: until then no record of a newer kind is written that an older node would stop at.
 *
 * <p>A new kind of record, or a new value in one, raises {@link #SUPPORTED}, gets its level in {@link #of}, and decisions that
 * would write it ask {@link DecisionContext#featureLevel} first.
 */
public final class FeatureLevel {
    /** The level of a shard that was never raised; a shard that is new starts at that of its first leader. */
    public static final int FIRST = 1;

    /** The level from which the topics of a group's basis have racks. */
    public static final int PARTITION_RACKS = 2;

    /** The level from which a Streams group keeps the configs that its last target was computed on. */
    public static final int ASSIGNMENT_CONFIGS = 2;

    /** The level from which a group keeps by which connection each member commits. */
    public static final int COMMIT_CONNECTIONS = 3;

    /** The highest level that this version reads. */
    public static final int SUPPORTED = COMMIT_CONNECTIONS;

    private FeatureLevel() {}

    /** The level from which a record may be written. */
    public static int of(GroupRecord record) {
        if (record instanceof CommonRecord.CommitConnectionSet) {
            return COMMIT_CONNECTIONS;
        }
        boolean tellsRacks = record instanceof CommonRecord.TopicBasisSet basis
                && basis.topics().values().stream()
                        .anyMatch(topic -> topic.racks().isKnown());
        boolean tellsConfigs = record instanceof StreamsGroupRecord.GroupSet set
                && !set.assignmentConfigs().isEmpty();
        return tellsRacks ? PARTITION_RACKS : tellsConfigs ? ASSIGNMENT_CONFIGS : FIRST;
    }
}
