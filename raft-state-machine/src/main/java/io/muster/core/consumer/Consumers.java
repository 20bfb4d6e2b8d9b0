package io.muster.core.consumer;

import io.muster.core.Group;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.TypedGroup;

/** Reads what every step of a decision about a consumer group needs. */
final class Consumers {
    private Consumers() {}

    /** The group as drafted so far; new if there is none. */
    static ConsumerGroup group(GroupDraft draft) {
        return group(draft.group().typed());
    }

    static ConsumerGroup group(Group group) {
        return group(group.typed());
    }

    private static ConsumerGroup group(TypedGroup typed) {
        return typed instanceof ConsumerGroup group ? group : ConsumerGroup.NEW;
    }

    /** The group's effective value of a config of {@link GroupConfigs}. */
    static int config(GroupDraft draft, String name) {
        return GroupConfigs.effective(draft.group(), name, draft.context().config());
    }
}
