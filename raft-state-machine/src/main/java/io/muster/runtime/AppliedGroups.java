package io.muster.runtime;

import io.muster.core.GroupRecord;
import java.util.List;
import java.util.function.Consumer;

/** The groups of a shard as they are applied on this node. Any thread. */
public interface AppliedGroups {
    /** The records that are in force for a group, in an order in which they can be folded; none if nothing is known of it. */
    StoredGroup load(String groupId);

    /** Visits the ids of all groups that exist, in a fixed order. */
    void forEachId(Consumer<String> visitor);

    /** @param token {@link Token#NONE} if the group does not exist */
    record StoredGroup(Token token, List<GroupRecord> records) {
        public StoredGroup {
            records = List.copyOf(records);
        }
    }
}
