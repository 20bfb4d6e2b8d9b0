package io.muster.core;

/** Where a member stands on its way to its target assignment. */
public interface CurrentAssignment {
    String memberId();

    int memberEpoch();

    /** The member epoch before, which a member may still have that missed an answer. */
    int previousMemberEpoch();

    /** Whether the member has something to give up. */
    boolean isRevoking();

    /** The record that the member has left for a while: it keeps what it has, and has nothing to give up. */
    GroupRecord away();
}
