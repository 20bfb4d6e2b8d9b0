package io.muster.core;

/** All that a group knows of one member, as what all group types share sees it. */
public interface GroupMember {
    MemberProfile profile();

    CurrentAssignment current();

    default String id() {
        return profile().memberId();
    }

    default int epoch() {
        return current().memberEpoch();
    }

    /** Whether the heartbeat says that the member owns nothing that it was not given: it may have missed an answer then. */
    boolean ownsOnlyAssigned(MemberHeartbeat heartbeat);

    /** Whether the heartbeat says that the member owns nothing any more of what it shall give up. */
    boolean gaveUp(MemberHeartbeat heartbeat);

    /** What the member shall give up, for people. */
    String pendingRevocation(Group group);

    /** The record that the member is gone. */
    GroupRecord removal();
}
