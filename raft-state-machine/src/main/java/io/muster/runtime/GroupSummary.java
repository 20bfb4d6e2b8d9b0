package io.muster.runtime;

import io.muster.core.Group;
import io.muster.core.GroupState;
import io.muster.core.GroupType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** One group in a list. */
public record GroupSummary(String groupId, GroupType type, GroupState state, int groupEpoch, int members) {
    /** Those of the groups that exist, in their order. */
    static List<GroupSummary> of(Collection<Group> groups) {
        List<GroupSummary> summaries = new ArrayList<>();
        for (Group group : groups) {
            group.typed()
                    .type()
                    .ifPresent(type -> summaries.add(new GroupSummary(
                            group.id(),
                            type,
                            group.typed().state(),
                            group.typed().groupEpoch(),
                            group.typed().members().size())));
        }
        return summaries;
    }
}
