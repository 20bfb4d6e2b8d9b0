package io.muster.core;

import java.util.SortedMap;
import java.util.SortedSet;

/** What only consumer groups are asked. */
public sealed interface ConsumerCommand extends Command permits ConsumerHeartbeat, ConsumerCommand.PatternsResolved {
    /** Does something for each kind; a new kind does not compile until everybody does. */
    interface Handler<T> {
        T on(ConsumerHeartbeat heartbeat);

        T on(PatternsResolved found);
    }

    /** Hands the command to the method of its kind. */
    <T> T accept(Handler<T> handler);

    @Override
    default <T> T accept(Command.Handler<T> handler) {
        return handler.on(this);
    }

    /**
     * What a gateway found for the patterns of a group on the connection of one of its members.
     *
     * @param topics the names that match, by pattern
     */
    record PatternsResolved(String groupId, SortedMap<String, SortedSet<String>> topics)
            implements ConsumerCommand, GatewayReport {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }
}
