package io.muster.core;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * ConsumerGroupHeartbeat (KIP-848). A null field did not change since the last heartbeat.
 *
 * @param memberEpoch 0 joins, -1 leaves, -2 leaves for a while (static members)
 * @param rebalanceTimeoutMillis milliseconds, -1 if unchanged
 * @param ownedPartitions by topic id
 * @param apiVersion version of the request, 0 or 1
 */
public record ConsumerHeartbeat(
        String groupId,
        String memberId,
        int memberEpoch,
        @Nullable String instanceId,
        @Nullable String rackId,
        int rebalanceTimeoutMillis,
        @Nullable List<String> subscribedTopicNames,
        @Nullable String subscribedTopicRegex,
        @Nullable String serverAssignor,
        @Nullable Partitions<UUID> ownedPartitions,
        ClientInfo client,
        int apiVersion)
        implements Command {
    public ConsumerHeartbeat {
        subscribedTopicNames = subscribedTopicNames == null ? null : List.copyOf(subscribedTopicNames);
    }
}
