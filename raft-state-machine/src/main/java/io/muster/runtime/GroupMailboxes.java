package io.muster.runtime;

import io.muster.core.GroupError;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The mailboxes of a shard's groups, and which of them have something to be decided. Confined to the shard's thread. */
final class GroupMailboxes {
    private final Map<String, GroupMailbox> byGroup = new TreeMap<>();
    private final Set<GroupMailbox> touched = new LinkedHashSet<>();

    /** The group's mailbox, a new one if it has none. */
    GroupMailbox of(String groupId) {
        return byGroup.computeIfAbsent(groupId, GroupMailbox::new);
    }

    Optional<GroupMailbox> find(String groupId) {
        return Optional.ofNullable(byGroup.get(groupId));
    }

    /** Whether the mailbox is its group's still, and not of an earlier leadership. */
    boolean holds(GroupMailbox mailbox) {
        return byGroup.get(mailbox.groupId()) == mailbox;
    }

    Collection<GroupMailbox> all() {
        return Collections.unmodifiableCollection(byGroup.values());
    }

    void remove(GroupMailbox mailbox) {
        byGroup.remove(mailbox.groupId());
    }

    /** Has the mailbox looked at in the next round of decisions. */
    void touch(GroupMailbox mailbox) {
        touched.add(mailbox);
    }

    boolean hasTouched() {
        return !touched.isEmpty();
    }

    /** Takes the touched mailboxes, in the order in which they were touched. */
    List<GroupMailbox> takeTouched() {
        List<GroupMailbox> taken = new ArrayList<>(touched);
        touched.clear();
        return taken;
    }

    /** Refuses every command that is not decided yet. */
    void refuseAll(GroupError error, String message) {
        byGroup.values().forEach(mailbox -> mailbox.takeAll().forEach(pending -> pending.refuse(error, message)));
    }

    void clear() {
        byGroup.clear();
        touched.clear();
    }
}
