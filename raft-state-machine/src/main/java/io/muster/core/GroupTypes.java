package io.muster.core;

import java.util.Optional;

/** The logic of each group type. */
record GroupTypes(
        GroupLogic<ConsumerCommand, ConsumerGroupRecord> consumer,
        GroupLogic<StreamsCommand, StreamsGroupRecord> streams) {
    GroupLogic<?, ?> of(GroupType type) {
        return switch (type) {
            case CONSUMER -> consumer;
            case STREAMS -> streams;
        };
    }

    /** Of the type that the group is of; empty if it does not exist. */
    Optional<GroupLogic<?, ?>> of(Group group) {
        return group.typed().type().map(this::of);
    }
}
