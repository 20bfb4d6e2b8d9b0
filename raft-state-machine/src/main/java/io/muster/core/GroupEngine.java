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
    private final Map<GroupType, GroupLogic> types = new EnumMap<>(GroupType.class);
    private final ClaimRules claims;
    private final CommonDecisions common;

    public GroupEngine(List<GroupLogic> types, ClaimRules claims) {
        types.forEach(logic -> this.types.put(logic.type(), logic));
        this.claims = claims;
        this.common = new CommonDecisions(this.types, claims);
    }

    /** Decides on all that a group's mailbox holds, in order, with at most one new target for all of it. */
    public Decision decide(Group group, List<Arrival> arrivals, DecisionContext context) {
        GroupDraft draft = new GroupDraft(group, context, this::evolve);
        Map<GroupType, SortedMap<Integer, Arrival>> accepted = new EnumMap<>(GroupType.class);
        for (int index = 0; index < arrivals.size(); index++) {
            if (!reads(arrivals.get(index).command())) {
                accept(draft, index, arrivals.get(index), accepted);
            }
        }
        accepted.forEach((type, some) -> logicOf(type).conclude(draft, some));
        claims.conclude(draft);
        for (int index = 0; index < arrivals.size(); index++) {
            if (reads(arrivals.get(index).command())) {
                accept(draft, index, arrivals.get(index), accepted);
            }
        }
        for (int index = 0; index < arrivals.size(); index++) {
            // What Muster tells a group itself may find no group, or one of another type.
            if (draft.isOpen(index) && !(arrivals.get(index).command() instanceof InternalCommand)) {
                throw new IllegalStateException(
                        "neither answered nor kept: " + arrivals.get(index).command());
            }
        }
        return draft.decision();
    }

    /** The group after this record. */
    public Group evolve(Group group, GroupRecord record) {
        if (record instanceof CommonRecord shared) {
            return CommonEvolver.evolve(group, shared);
        }
        GroupType type = record instanceof ConsumerGroupRecord ? GroupType.CONSUMER : GroupType.STREAMS;
        Group next = group.withTyped(logicOf(type).evolve(group.typed(), record));
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

    private void accept(
            GroupDraft draft, int index, Arrival arrival, Map<GroupType, SortedMap<Integer, Arrival>> accepted) {
        Command command = arrival.command();
        if (command instanceof MemberHeartbeat heartbeat) {
            acceptTyped(heartbeat.groupType(), draft, index, arrival, accepted);
        } else if (!common.accept(draft, index, arrival)) {
            draft.group().typed().type().ifPresent(type -> acceptTyped(type, draft, index, arrival, accepted));
        }
    }

    private void acceptTyped(
            GroupType type,
            GroupDraft draft,
            int index,
            Arrival arrival,
            Map<GroupType, SortedMap<Integer, Arrival>> accepted) {
        logicOf(type).accept(draft, index, arrival);
        accepted.computeIfAbsent(type, key -> new TreeMap<>()).put(index, arrival);
    }

    private GroupLogic logicOf(GroupType type) {
        GroupLogic logic = types.get(type);
        if (logic == null) {
            throw new IllegalStateException("no logic for group type " + type);
        }
        return logic;
    }
}
