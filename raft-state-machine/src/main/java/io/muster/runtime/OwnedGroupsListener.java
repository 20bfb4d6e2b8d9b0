package io.muster.runtime;

import java.util.SortedSet;

/** Told which groups a shard owns. Calls come on the shard's thread and must return at once. */
public interface OwnedGroupsListener {
    /** All groups of the shard, when this node begins to lead it. */
    void ownedAtStart(int shard, long term, SortedSet<String> groupIds);

    /** A group came into being. */
    void owned(int shard, long term, String groupId);

    /** A group is gone. */
    void disowned(int shard, long term, String groupId);
}
