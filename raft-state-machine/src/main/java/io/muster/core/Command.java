package io.muster.core;

/** Something that a client, an operator or Muster itself asks of one group. */
public sealed interface Command
        permits ConsumerCommand, StreamsCommand, MemberHeartbeat, GroupCommand, CommitCommand, InternalCommand {
    /** Does something for each family of commands; a new family does not compile until everybody does. */
    interface Handler<T> {
        T on(ConsumerCommand command);

        T on(StreamsCommand command);

        T on(GroupCommand command);

        T on(CommitCommand command);

        T on(InternalCommand command);
    }

    /** The group that this is about; may be empty when a client sent it so. */
    String groupId();

    /** Hands the command to the method of its family. */
    <T> T accept(Handler<T> handler);
}
