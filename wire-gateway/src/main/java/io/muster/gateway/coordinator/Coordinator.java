package io.muster.gateway.coordinator;

import io.muster.core.Command;
import io.muster.core.Response;
import io.muster.core.ShardTime;
import io.muster.runtime.GroupSummary;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The Raft cluster as a gateway sees it. Any thread; nothing blocks. */
public interface Coordinator {
    /**
     * Sends a command to the leader of its group's shard. Never completes exceptionally, and always within a bound: without a leader, or
     * when the outcome is unknown, it is answered {@link Response.Refused} with NOT_COORDINATOR or COORDINATOR_NOT_AVAILABLE. Completes
     * on any thread, maybe the shard's: what takes long is done elsewhere.
     */
    CompletableFuture<Response> submit(Command command);

    /** Whether Muster owns the group, as last heard from its shard. No network. */
    boolean owns(String groupId);

    /**
     * Whether the leader of the group's shard, as far as one is known, has told which groups it owns; until then {@link #owns} may miss
     * some. No network.
     */
    boolean ownershipKnown(String groupId);

    /** Whether the group's shard is known to have a leader now, so that a command reaches it. No network. */
    default boolean hasLeader(String groupId) {
        return true;
    }

    /** The latest logical times that leaders have told this gateway, one of each shard that was heard of. No network. */
    default List<ShardTime> heardTimes() {
        return List.of();
    }

    /** Muster's groups as they stand now, over all shards; those of shards without a leader are missing. */
    CompletableFuture<GroupListings> listGroups();

    /**
     * Tells the nodes that a CreateTopics, DeleteTopics or CreatePartitions went through: they have the topics looked up at once.
     *
     * @param deleted those of the names that were deleted successfully
     */
    void topicsTouched(Set<String> names, Set<String> deleted);

    /** Tells the nodes what operators should know of this gateway, one line each, instead of what they were told before. */
    default void troubles(List<String> lines) {}

    /**
     * An answer to {@link #listGroups}.
     *
     * @param complete whether every shard answered
     */
    record GroupListings(List<GroupSummary> groups, boolean complete) {
        public GroupListings {
            groups = List.copyOf(groups);
        }
    }
}
