package io.muster.runtime;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Tells which groups the shard owns: all of them once the store was read, then each that comes and goes. Those that come or go
 * while the store is read are put right. Confined to the shard's thread.
 */
final class OwnedGroupsAnnouncer {
    private final int shard;
    private final ShardAnnouncements listener;
    private final Set<String> goneMeanwhile = new HashSet<>();

    OwnedGroupsAnnouncer(int shard, ShardAnnouncements listener) {
        this.shard = shard;
        this.listener = listener;
    }

    void clear() {
        goneMeanwhile.clear();
    }

    /** Announces all groups: those that were read and those in memory, but for those that went meanwhile; returns them. */
    SortedSet<String> start(long term, SortedSet<String> read, Collection<GroupMailbox> inMemory) {
        SortedSet<String> owned = new TreeSet<>(read);
        owned.removeAll(goneMeanwhile);
        goneMeanwhile.clear();
        inMemory.stream()
                .filter(mailbox -> mailbox.isLoaded() && mailbox.group().exists())
                .forEach(mailbox -> owned.add(mailbox.groupId()));
        listener.ownedAtStart(shard, term, owned);
        return owned;
    }

    void changed(long term, String groupId, boolean existed, boolean exists) {
        if (existed && !exists) {
            goneMeanwhile.add(groupId);
            listener.disowned(shard, term, groupId);
        } else if (exists && !existed) {
            goneMeanwhile.remove(groupId);
            listener.owned(shard, term, groupId);
        }
    }
}
