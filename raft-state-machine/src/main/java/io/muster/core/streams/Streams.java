package io.muster.core.streams;

import io.muster.core.Group;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.KnownTopics;
import io.muster.core.TypedGroup;

/** Reads what every step of a decision about a Streams group needs. */
final class Streams {
    private Streams() {}

    /** The group as drafted so far; new if there is none. */
    static StreamsGroup group(GroupDraft draft) {
        return group(draft.group().typed());
    }

    static StreamsGroup group(Group group) {
        return group(group.typed());
    }

    private static StreamsGroup group(TypedGroup typed) {
        return typed instanceof StreamsGroup group ? group : StreamsGroup.NEW;
    }

    /** The group's effective value of a config of {@link GroupConfigs}. */
    static int config(GroupDraft draft, String name) {
        return GroupConfigs.effective(draft.group(), name, draft.context().config());
    }

    /** The group's topologies against the topics as they are known now. */
    static TopologyStanding standing(GroupDraft draft) {
        return TopologyStanding.of(group(draft), KnownTopics.of(draft));
    }
}
