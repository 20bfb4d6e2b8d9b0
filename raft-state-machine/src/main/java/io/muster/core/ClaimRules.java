package io.muster.core;

import io.muster.core.CommitCommand.TopicPartition;

/**
 * The claim as the group types see it: whether a group may have members, and whether a partition may go to another member.
 * Everything here works on the draft and is pure.
 */
public interface ClaimRules {
    /**
     * Whether the group is claimed, so that members may join. If not, the claim is asked for and the arrival is left to wait, or
     * answered when it may not wait or the group is owned elsewhere: the caller then does nothing more for it.
     */
    boolean admitsJoin(GroupDraft draft, int index, Arrival arrival);

    /**
     * Whether this leadership knows that nobody else can commit the partition any more. If not, a fence is asked for, and the
     * partition must stay without an owner in this decision.
     *
     * @param newOwner the member that would get it; its own commits in flight do no harm
     */
    boolean mayHandOver(GroupDraft draft, TopicPartition partition, String newOwner);

    /** Whether any hand-over is possible at all: the claim is held and its commits in flight are known. */
    boolean handOversKnown(GroupDraft draft);

    /**
     * Whether members may keep what they have. If not, they have to give it up, and get it again once the claim is held: the lock
     * on whose strength they got it fell before it was durable.
     */
    boolean mayKeep(GroupDraft draft);

    /**
     * Whether offsets of the group can be deleted upstream now, which they cannot under the claim. If not, the claim steps aside
     * and the arrival is left to wait, or answered when it may not wait: the caller then does nothing more for it.
     */
    boolean admitsDelete(GroupDraft draft, int index, Arrival arrival);

    /**
     * Handles commands about the claim: its reports, its timers, admissions, release and deletion. Returns whether others may have
     * had the group since its members joined: the caller then removes them all.
     */
    boolean accept(GroupDraft draft, int index, Arrival arrival);

    /** Called once at the end of a decision: starts the operation that the decision turned out to need. */
    void conclude(GroupDraft draft);

    /** The claim in words for operators. */
    String describe(Group group, LeaderMemory memory);
}
