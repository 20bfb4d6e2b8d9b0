package io.muster.core;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What a group type knows: the decisions and the evolution of its part of a group. One implementation per {@link GroupType}.
 *
 * @param <C> the commands that only groups of this type are asked
 * @param <R> the records of this type
 */
public interface GroupLogic<C extends Command, R extends GroupRecord> {
    GroupType type();

    /**
     * Handles a command of this type as far as it goes without a new target: validates, changes members, or leaves it to wait.
     * Heartbeats may be for any group, all else is for one of this type. Replies that depend on the assignment are given in
     * {@link #conclude}.
     */
    void accept(GroupDraft draft, int index, Arrival arrival, C command);

    /** Removes members of a group of this type, and answers with one result per member. */
    void removeMembers(GroupDraft draft, int index, GroupCommand.RemoveMembers command);

    /** Shortens the session of a member, and answers. */
    void shortenSession(GroupDraft draft, int index, GroupCommand.ShortenSession command);

    /** The group's configs changed. */
    default void configsChanged(GroupDraft draft) {}

    /** A timer of the group fired, which may be out of date; members whose time is up are removed in {@link #conclude}. */
    default void timerFired(GroupDraft draft, InternalCommand.TimerFired fired) {}

    /** A target that was computed aside is there. */
    void targetComputed(GroupDraft draft, InternalCommand.TargetComputed computed);

    /** A new leader loaded the group: arms its timers. */
    void loaded(GroupDraft draft);

    /**
     * Called once after all arrivals of a decision: computes a target if one is due, reconciles the members that sent heartbeats
     * and answers them.
     */
    void conclude(GroupDraft draft, SortedMap<Integer, Arrival> accepted);

    /** Removes all members: others may have had the group, so they have to come back and read offsets anew. */
    void removeAll(GroupDraft draft, String detail);

    /** The group's part after this record. */
    TypedGroup evolve(TypedGroup group, R record);

    /** Describes a group of this type. */
    GroupDescription describe(Group group, DecisionContext context);

    /** What the group waits for, one sentence each for an operator; empty if nothing. */
    default List<String> waiting(Group group, DecisionContext context) {
        return List.of();
    }

    /** Whether a commit of this group may be admitted, as Kafka would judge it; empty if it may. */
    Optional<GroupError> judgeCommit(Group group, CommitCommand.Admit commit);

    /** Whether a member may fetch offsets, as Kafka would judge it; empty if it may. */
    Optional<GroupError> judgeFetch(Group group, CommitCommand.AdmitFetch fetch);

    /** Whether the group's members consume this topic, so that its offsets must not be deleted. */
    boolean consumes(Group group, String topic);
}
