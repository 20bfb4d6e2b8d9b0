package io.muster.core;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * ConsumerGroupHeartbeat (KIP-848). A null field did not change since the last heartbeat.
 *
 * @param ownedPartitions by topic id
 */
public record ConsumerHeartbeat(
        Sender sender,
        @Nullable List<String> subscribedTopicNames,
        @Nullable String subscribedTopicRegex,
        @Nullable String serverAssignor,
        @Nullable Partitions<UUID> ownedPartitions)
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
        return rebalanceTimeoutMillis() != -1
                && (subscribedTopicNames != null || subscribedTopicRegex != null)
                && ownedPartitions != null;
    }

    @Override
    public boolean isKeepAlive() {
        return memberEpoch() > 0
                && sender.isUnchanged()
                && subscribedTopicNames == null
                && subscribedTopicRegex == null
                && serverAssignor == null
                && ownedPartitions == null;
    }

    @Override
    public ConsumerHeartbeat asKeepAlive() {
        return new ConsumerHeartbeat(sender.unchanged(), null, null, null, null);
    }

    /** The same heartbeat under another member id. */
    public ConsumerHeartbeat withMemberId(String id) {
        return new ConsumerHeartbeat(
                sender.withMemberId(id), subscribedTopicNames, subscribedTopicRegex, serverAssignor, ownedPartitions);
    }
}
