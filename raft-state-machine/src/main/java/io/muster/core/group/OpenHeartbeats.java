package io.muster.core.group;

import io.muster.core.Arrival;
import io.muster.core.GroupDraft;
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
}
