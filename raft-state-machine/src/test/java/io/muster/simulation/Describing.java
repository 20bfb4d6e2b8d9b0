package io.muster.simulation;

import io.muster.core.CoordinatorConfig;
import io.muster.core.DecisionContext;
import io.muster.core.Group;
import io.muster.core.GroupDescription;
import io.muster.core.GroupLogic;
import io.muster.core.GroupType;
import io.muster.core.LeaderMemory;
import io.muster.core.TopicCatalogue;
import io.muster.core.claim.ClaimLogic;
import io.muster.core.consumer.ConsumerGroupLogic;
import io.muster.core.streams.StreamsGroupLogic;

/** Describes a group as the product would. */
final class Describing {
    private static final DecisionContext CONTEXT =
            new DecisionContext(0, TopicCatalogue.EMPTY, CoordinatorConfig.defaults("sim"), LeaderMemory.UNKNOWN);

    private Describing() {}

    static GroupDescription describe(Group group) {
        GroupType type = group.typed().type().orElseThrow();
        GroupLogic<?, ?> logic = switch (type) {
            case CONSUMER -> new ConsumerGroupLogic(new ClaimLogic());
            case STREAMS -> new StreamsGroupLogic(new ClaimLogic());
        };
        return logic.describe(group, CONTEXT);
    }
}
