package io.muster.runtime;

import io.muster.core.ShardTime;
import java.util.SortedSet;

/** What the leader of a shard tells all gateways. Calls come on the shard's thread and must return at once. */
public interface ShardAnnouncements {
    /** All groups of the shard, when this node begins to lead it. */
    void ownedAtStart(int shard, long term, SortedSet<String> groupIds);

    /** A group came into being. */
    void owned(int shard, long term, String groupId);

    /** A group is gone. */
    void disowned(int shard, long term, String groupId);

    /** A connection by which a member commits is recorded with this time: connections that are opened from now on are newer. */
    void connectionRecorded(ShardTime time);
}
