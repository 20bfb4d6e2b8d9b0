package io.muster.rpc;

import io.muster.core.ClaimMarks;
import io.muster.core.ClaimOperation;
import java.util.List;
import java.util.Set;

/**
 * A gateway as the node sees it to which it is connected: what the node tells it, whether it is in another process or in the same.
 * What it is told arrives in order. Any thread; nothing blocks, and nothing calls the node back before it returns.
 */
public interface ConnectedGateway {
    /** Unique over the life of the gateway's process. */
    String gatewayId();

    /** Whether what it is told now would not pile up. */
    boolean isReady();

    /** Who leads a shard: for every shard at the start, then on each change. */
    void leadership(ShardLeadership leadership);

    void ownedGroups(OwnedChange change);

    /** Has the gateway execute a claim operation. */
    void claim(ClaimTask task);

    /** The gateway watches topics for a shard from now on, or no longer. */
    void topics(LeasedWatch watch);

    /** Some topics that the gateway watches may have changed just now: it looks at once. */
    void look(TopicLook look);

    /**
     * Groups that a shard's leader owns. The part that is first begins a snapshot, which replaces what was known once it is complete.
     *
     * @param snapshot whether it is part of a snapshot, else a change
     */
    record OwnedChange(
            int shard,
            long term,
            boolean snapshot,
            boolean first,
            boolean last,
            List<String> added,
            List<String> removed) {
        public OwnedChange {
            added = List.copyOf(added);
            removed = List.copyOf(removed);
        }
    }

    /**
     * A claim operation that the gateway executes upstream.
     *
     * @param patienceMillis after which it must not be sent upstream any more
     */
    record ClaimTask(
            long operationId, String groupId, long patienceMillis, ClaimOperation operation, ClaimMarks marks) {}

    /**
     * The topics of a shard that the gateway watches; a higher lease of a shard replaces all lower ones.
     *
     * @param version of the names within the lease, from 0
     * @param ended whether the lease ended: no names then, and no reports
     */
    record LeasedWatch(int shard, long lease, long version, Set<String> names, boolean ended) {
        public LeasedWatch {
            names = Set.copyOf(names);
        }
    }

    /** @param deleted those of the names that a successful DeleteTopics named */
    record TopicLook(int shard, long lease, Set<String> names, Set<String> deleted) {
        public TopicLook {
            names = Set.copyOf(names);
            deleted = Set.copyOf(deleted);
        }
    }
}
