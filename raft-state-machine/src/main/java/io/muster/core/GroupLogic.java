package io.muster.core;

import java.util.List;

/** What a group type knows: the decisions and the evolution of its part of a group. One implementation a {@link GroupType}. */
public interface GroupLogic {
    GroupType type();

    /**
     * Handles one arrival as far as it goes without a new target: validates, changes members, or leaves it to wait. Replies that
     * depend on the assignment are given in {@link #conclude}.
     */
    void accept(GroupDraft draft, int index, Arrival arrival);

    /**
     * Called once after all arrivals of a decision: computes a target if one is due, reconciles the members that sent heartbeats
     * and answers them.
     */
    void conclude(GroupDraft draft, java.util.SortedMap<Integer, Arrival> accepted);

    /** Removes all members: others may have had the group, so they have to come back and read offsets anew. */
    void removeAll(GroupDraft draft, String detail);

    /** The group's part after this record. Total over the records of this type. */
    TypedGroup evolve(TypedGroup group, GroupRecord record);

    /** Describes a group of this type. */
    GroupDescription describe(Group group, DecisionContext context);

    /** What the group waits for, one sentence each for an operator; empty if nothing. */
    default List<String> waiting(Group group, DecisionContext context) {
        return List.of();
    }

    /** Whether a commit of this group may be admitted, as Kafka would judge it; empty if it may. */
    java.util.Optional<GroupError> judgeCommit(Group group, CommitCommand.Admit commit);

    /** Whether a member may fetch offsets, as Kafka would judge it; empty if it may. */
    java.util.Optional<GroupError> judgeFetch(Group group, CommitCommand.AdmitFetch fetch);

    /** Whether the group's members consume this topic, so that its offsets must not be deleted. */
    boolean consumes(Group group, String topic);
}
