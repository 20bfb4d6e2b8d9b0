package io.muster.cluster.conformance;

import java.util.Map;

/** The cases in which Muster means to answer otherwise than Kafka 4.4.0, each with the reason. */
final class IntendedDifferences {
    private static final String LIVE_MIGRATION =
            "a live classic group is not turned into a consumer group; the claim keeps the two apart";
    private static final String QUIRK =
            "Kafka's answer looks like a defect: Muster answers with a status or a clear error";
    private static final String LOST_ANSWER =
            "a member that shows that it did not hear which tasks it has is told again; Kafka leaves it without them";
    private static final String INTERVAL =
            "the assignment interval defaults to 0: joins that arrive together are decided together";

    private static final String TOPOLOGY_UPDATE =
            "a topology is updated by the next epoch, and joins at other epochs are refused (KIP-1071); Kafka 4.4 refuses all updates";

    private static final String STABLE =
            "members of an owned group are given stable offsets only: a successor must not begin before what a pending transaction commits";

    private static final String FOUNDING =
            "what the join that founds a group says of its task offsets is kept; Kafka forgets it until the member says it again";

    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("offsets-consumer-fetch-pending-unstable", STABLE),
            Map.entry("offsets-streams-fetch-pending-unstable", STABLE),
            Map.entry("classic-migration-static-classic-member", LIVE_MIGRATION),
            Map.entry("classic-upgrade-stable-to-consumer", LIVE_MIGRATION),
            Map.entry("classic-upgrade-while-rebalancing", LIVE_MIGRATION),
            Map.entry("streams-copartition-bad-index", QUIRK),
            Map.entry("streams-duplicate-changelog-topics", QUIRK),
            Map.entry("streams-duplicate-client-tags", QUIRK),
            Map.entry("streams-duplicate-repartition-topics", QUIRK),
            Map.entry("streams-duplicate-subtopology-ids", QUIRK),
            Map.entry("streams-endpoint-missing-topics", QUIRK),
            Map.entry("streams-group-configs-limits", INTERVAL),
            Map.entry("streams-internal-topic-odd-values", QUIRK),
            Map.entry("streams-lost-response", LOST_ANSWER),
            Map.entry("streams-lost-response-variants", LOST_ANSWER),
            Map.entry("streams-shutdown-on-join", QUIRK),
            Map.entry("streams-task-offsets-founding", FOUNDING),
            Map.entry("streams-topology-negative-epoch", QUIRK),
            Map.entry("streams-stale-member-and-missing-topics-status-order", TOPOLOGY_UPDATE),
            Map.entry("streams-stale-topology-rejoin-after-empty", TOPOLOGY_UPDATE),
            Map.entry("streams-topology-epoch-bump", TOPOLOGY_UPDATE),
            Map.entry("streams-topology-same-epoch-different", TOPOLOGY_UPDATE),
            Map.entry("streams-topology-stale-different", TOPOLOGY_UPDATE));

    private IntendedDifferences() {}

    /** From the names of the cases that differ to the reasons. */
    static Map<String, String> all() {
        return REASONS;
    }
}
