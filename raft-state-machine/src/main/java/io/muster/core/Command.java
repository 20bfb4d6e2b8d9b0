package io.muster.core;

/** Something that a client, an operator or Muster itself asks of one group. */
public sealed interface Command permits MemberHeartbeat, GroupCommand, CommitCommand, InternalCommand {
    /** The group that this is about; may be empty when a client sent it so. */
    String groupId();
}
