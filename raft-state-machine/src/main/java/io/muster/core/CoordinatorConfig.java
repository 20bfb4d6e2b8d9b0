package io.muster.core;

/**
 * Defaults and limits of the whole cluster; a group's own configs go over them where Kafka allows it. Times are milliseconds.
 *
 * @param clusterName names the claims of this Muster cluster upstream
 * @param onlyStreams what only Streams groups have
 * @param patternRefreshMillis how often a group's patterns are resolved anew
 * @param patienceMillis how long a command may wait for topics or a claim before it is answered without them
 * @param largeTargetSize members times partitions (or tasks) of a group above which its target is computed on a thread of its own
 */
public record CoordinatorConfig(
        String clusterName,
        TypeDefaults consumer,
        TypeDefaults streams,
        StreamsDefaults onlyStreams,
        Retention retention,
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

    /** Defaults and bounds that only Streams groups have. */
    public record StreamsDefaults(
            int initialRebalanceDelayMillis,
            int numStandbyReplicas,
            int maxStandbyReplicas,
            int taskOffsetIntervalMillis,
            long acceptableRecoveryLag) {
        /** Kafka 4.4's. */
        public static final StreamsDefaults KAFKA = new StreamsDefaults(3_000, 0, 2, 60_000, 10_000);
    }

    /**
     * How long claims, empty groups and histories are kept.
     *
     * @param claimSessionTimeoutMillis session timeout of claims upstream
     * @param emptyGroupReleaseMillis how long a group is empty before its claim leaves
     * @param emptyGroupLookMillis how often upstream is asked whether it has anything left of an empty group whose claim has left
     * @param historyMillis how long the history of a deleted group is kept
     */
    public record Retention(
            int claimSessionTimeoutMillis,
            long emptyGroupReleaseMillis,
            long emptyGroupLookMillis,
            long historyMillis) {
        public static final Retention DEFAULT = new Retention(1_800_000, 600_000, 600_000, 7L * 24 * 3_600_000);

        public Retention withHistoryMillis(long next) {
            return new Retention(claimSessionTimeoutMillis, emptyGroupReleaseMillis, emptyGroupLookMillis, next);
        }
    }

    /** The defaults and bounds of a group type. */
    public TypeDefaults of(GroupType type) {
        return switch (type) {
            case CONSUMER -> consumer;
            case STREAMS -> streams;
        };
    }

    public CoordinatorConfig withRetention(Retention next) {
        return new CoordinatorConfig(
                clusterName,
                consumer,
                streams,
                onlyStreams,
                next,
                patternRefreshMillis,
                patienceMillis,
                largeTargetSize);
    }

    public CoordinatorConfig withLargeTargetSize(long next) {
        return new CoordinatorConfig(
                clusterName, consumer, streams, onlyStreams, retention, patternRefreshMillis, patienceMillis, next);
    }

    public static CoordinatorConfig defaults(String clusterName) {
        return new CoordinatorConfig(
                clusterName,
                TypeDefaults.KAFKA,
                TypeDefaults.KAFKA,
                StreamsDefaults.KAFKA,
                Retention.DEFAULT,
                10_000,
                3_000,
                DEFAULT_LARGE_TARGET_SIZE);
    }
}
