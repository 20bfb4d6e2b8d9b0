package io.muster.core;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Decides on commands and evolves groups: the one entry to the core. Stateless and pure, so it may be shared by all shards.
 */
public final class GroupEngine {
    private final GroupTypes types;
    private final ClaimRules claims;

    public GroupEngine(
            GroupLogic<ConsumerCommand, ConsumerGroupRecord> consumer,
            GroupLogic<StreamsCommand, StreamsGroupRecord> streams,
            ClaimRules claims) {
        this.types = new GroupTypes(consumer, streams);
        this.claims = claims;
    }

    /** Decides on all that a group's mailbox holds, in order, with at most one new target for all of it. */
    public Decision decide(Group group, List<Arrival> arrivals, DecisionContext context) {
        GroupDraft draft = new GroupDraft(group, context, this::evolve);
        Map<GroupType, SortedMap<Integer, Arrival>> accepted = new EnumMap<>(GroupType.class);
        accept(draft, arrivals, false, accepted);
        accepted.forEach((type, some) -> types.of(type).conclude(draft, some));
        claims.conclude(draft);
        accept(draft, arrivals, true, accepted);
        return draft.decision(arrivals);
    }

    /** The group after this record. */
    public Group evolve(Group group, GroupRecord record) {
        Group next = record.accept(new GroupRecord.Handler<Group>() {
            @Override
            public Group on(CommonRecord common) {
                return common.accept(new CommonEvolver(group));
            }

            @Override
            public Group on(ConsumerGroupRecord consumer) {
                return group.withTyped(types.consumer().evolve(group.typed(), consumer));
            }

            @Override
            public Group on(StreamsGroupRecord streams) {
                return group.withTyped(types.streams().evolve(group.typed(), streams));
            }
        });
        return record instanceof GroupRecord.OfRemoval removal
                ? next.withCommitConnections(next.commitConnections().without(removal.memberId()))
                : next;
    }

    /** Whether the command only looks at the group; it then sees the group as the decision leaves it, nothing in between. */
    private static boolean reads(Command command) {
        return command instanceof GroupCommand.Describe
                || command instanceof GroupCommand.Inspect
                || command instanceof GroupCommand.History;
    }

    /** @param reading whether those arrivals are meant that only look at the group */
    private void accept(
            GroupDraft draft,
            List<Arrival> arrivals,
            boolean reading,
            Map<GroupType, SortedMap<Integer, Arrival>> accepted) {
        for (int index = 0; index < arrivals.size(); index++) {
            Arrival arrival = arrivals.get(index);
            if (reads(arrival.command()) == reading) {
                int place = index;
                arrival.command()
                        .accept(new ArrivalDecision(types, claims, new DraftedArrival(draft, index, arrival)))
                        .ifPresent(logic -> accepted.computeIfAbsent(logic.type(), type -> new TreeMap<>())
                                .put(place, arrival));
            }
        }
    }
}
