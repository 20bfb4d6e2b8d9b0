package io.muster.core.group;

import io.muster.core.Arrival;
import io.muster.core.GroupDraft;
import io.muster.core.GroupType;
import io.muster.core.MemberHeartbeat;
import java.util.SortedMap;
import java.util.TreeMap;

/** The heartbeats that a decision still has to answer. */
public final class OpenHeartbeats {
    private OpenHeartbeats() {}

    /** Those that are neither answered nor left to wait, by their index. */
    public static SortedMap<Integer, Arrival> of(GroupDraft draft, SortedMap<Integer, Arrival> accepted) {
        TreeMap<Integer, Arrival> open = new TreeMap<>();
        accepted.forEach((index, arrival) -> {
            if (arrival.command() instanceof MemberHeartbeat && draft.isOpen(index)) {
                open.put(index, arrival);
            }
        });
        return open;
    }

    /** Whether the group is of this type still; if not, refuses the heartbeats for it. */
    public static boolean findGroup(GroupDraft draft, SortedMap<Integer, Arrival> accepted, GroupType type) {
        boolean isThere = draft.group().typed().type().filter(type::equals).isPresent();
        if (!isThere) {
            of(draft, accepted).keySet().forEach(index -> draft.reply(index, GroupValidation.notFound(draft, type)));
        }
        return isThere;
    }
}
