package io.muster.core;

/**
 * Defaults and limits of the whole cluster; a group's own configs go over them where Kafka allows it. Times are milliseconds.
 *
 * @param emptyGroupReleaseMillis how long a group is empty before its claim leaves
 * @param emptyGroupLookMillis how often upstream is asked whether it has anything left of an empty group whose claim has left
 * @param historyRetentionMillis how long the history of a deleted group is kept
 * @param patternRefreshMillis how often a group's patterns are resolved anew
 * @param patienceMillis how long a command may wait for topics or a claim before it is answered without them
 * @param largeTargetSize members times partitions (or tasks) of a group above which its target is computed on a thread of its own
 * @param clusterName names the claims of this Muster cluster upstream
 */
public record CoordinatorConfig(
        String clusterName,
        TypeDefaults consumer,
        TypeDefaults streams,
        int streamsInitialRebalanceDelayMillis,
        int streamsNumStandbyReplicas,
        int streamsMaxStandbyReplicas,
        int streamsTaskOffsetIntervalMillis,
        long streamsAcceptableRecoveryLag,
        int claimSessionTimeoutMillis,
        long emptyGroupReleaseMillis,
        long emptyGroupLookMillis,
        long historyRetentionMillis,
        long patternRefreshMillis,
        long patienceMillis,
        long largeTargetSize) {

    public static final int DEFAULT_LARGE_TARGET_SIZE = 5_000_000;

    /** Defaults and bounds of one group type. */
    public record TypeDefaults(
            int sessionTimeoutMillis,
            int minSessionTimeoutMillis,
            int maxSessionTimeoutMillis,
            int heartbeatIntervalMillis,
            int minHeartbeatIntervalMillis,
            int maxHeartbeatIntervalMillis,
            int assignmentIntervalMillis,
            int maxSize) {
        /** Kafka 4.4's defaults, but for the assignment interval, which is 0. */
        public static final TypeDefaults KAFKA =
                new TypeDefaults(45_000, 45_000, 60_000, 5_000, 5_000, 15_000, 0, Integer.MAX_VALUE);
    }

    /** The defaults and bounds of a group type. */
    public TypeDefaults of(GroupType type) {
        return switch (type) {
            case CONSUMER -> consumer;
            case STREAMS -> streams;
        };
    }

    public CoordinatorConfig withHistoryRetentionMillis(long next) {
        return new CoordinatorConfig(
                clusterName,
                consumer,
                streams,
                streamsInitialRebalanceDelayMillis,
                streamsNumStandbyReplicas,
                streamsMaxStandbyReplicas,
                streamsTaskOffsetIntervalMillis,
                streamsAcceptableRecoveryLag,
                claimSessionTimeoutMillis,
                emptyGroupReleaseMillis,
                emptyGroupLookMillis,
                next,
                patternRefreshMillis,
                patienceMillis,
                largeTargetSize);
    }

    public CoordinatorConfig withLargeTargetSize(long next) {
        return new CoordinatorConfig(
                clusterName,
                consumer,
                streams,
                streamsInitialRebalanceDelayMillis,
                streamsNumStandbyReplicas,
                streamsMaxStandbyReplicas,
                streamsTaskOffsetIntervalMillis,
                streamsAcceptableRecoveryLag,
                claimSessionTimeoutMillis,
                emptyGroupReleaseMillis,
                emptyGroupLookMillis,
                historyRetentionMillis,
                patternRefreshMillis,
                patienceMillis,
                next);
    }

    public static CoordinatorConfig defaults(String clusterName) {
        return new CoordinatorConfig(
                clusterName,
                TypeDefaults.KAFKA,
                TypeDefaults.KAFKA,
                3_000,
                0,
                2,
                60_000,
                10_000,
                1_800_000,
                600_000,
                600_000,
                7L * 24 * 3_600_000,
                10_000,
                3_000,
                DEFAULT_LARGE_TARGET_SIZE);
    }
}
