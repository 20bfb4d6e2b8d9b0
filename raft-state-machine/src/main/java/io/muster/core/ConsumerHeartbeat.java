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
        implements ConsumerCommand, MemberHeartbeat {
    public ConsumerHeartbeat {
        subscribedTopicNames = subscribedTopicNames == null ? null : List.copyOf(subscribedTopicNames);
    }

    @Override
    public <T> T accept(ConsumerCommand.Handler<T> handler) {
        return handler.on(this);
    }

    @Override
    public GroupType groupType() {
        return GroupType.CONSUMER;
    }

    /** Whether the request tells everything, so that its answer must too. */
    public boolean isFull() {
        return rebalanceTimeoutMillis != -1
                && (subscribedTopicNames != null || subscribedTopicRegex != null)
                && ownedPartitions != null;
    }

    @Override
    public boolean isKeepAlive() {
        return memberEpoch > 0
                && rackId == null
                && rebalanceTimeoutMillis == -1
                && subscribedTopicNames == null
                && subscribedTopicRegex == null
                && serverAssignor == null
                && ownedPartitions == null;
    }

    @Override
    public ConsumerHeartbeat asKeepAlive() {
        return new ConsumerHeartbeat(
                groupId, memberId, memberEpoch, instanceId, null, -1, null, null, null, null, client, apiVersion);
    }

    /** The same heartbeat under another member id. */
    public ConsumerHeartbeat withMemberId(String id) {
        return new ConsumerHeartbeat(
                groupId,
                id,
                memberEpoch,
                instanceId,
                rackId,
                rebalanceTimeoutMillis,
                subscribedTopicNames,
                subscribedTopicRegex,
                serverAssignor,
                ownedPartitions,
                client,
                apiVersion);
    }
}
