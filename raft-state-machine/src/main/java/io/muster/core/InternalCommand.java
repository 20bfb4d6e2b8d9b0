package io.muster.core;

import java.util.Optional;

/** What Muster tells a group itself: timers, topics, outcomes of effects. */
public sealed interface InternalCommand extends Command {
    /** Does something for each kind; a new kind does not compile until everybody does. */
    interface Handler<T> {
        T on(TimerFired command);

        T on(TopicsChanged command);

        T on(ClaimReported command);

        T on(TargetComputed command);

        T on(HistoryOutlived command);

        T on(Loaded command);
    }

    /** Hands the command to the method of its kind. */
    <T> T accept(Handler<T> handler);

    @Override
    default <T> T accept(Command.Handler<T> handler) {
        return handler.on(this);
    }

    /**
     * A timer fired.
     *
     * @param epoch the epoch that the timer was armed with; stale timers are ignored by the logic that armed them
     */
    record TimerFired(String groupId, TimerKey timer, int epoch) implements InternalCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** The catalogue changed for a topic in which the group has an interest. */
    record TopicsChanged(String groupId) implements InternalCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /**
     * The outcome of an {@link Effect.ClaimUpstream}.
     *
     * @param operation what was asked: a report of anything but the operation under way is stale
     */
    record ClaimReported(String groupId, ClaimOperation operation, ClaimOutcome outcome) implements InternalCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /**
     * The outcome of an {@link Effect.ComputeTarget}.
     *
     * @param target empty if the computation failed, or the log cannot hold what it found
     */
    record TargetComputed(String groupId, Optional<TargetComputation.ComputedTarget> target)
            implements InternalCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** The history of a group that is gone may be older than it is kept. */
    record HistoryOutlived(String groupId) implements InternalCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** The group was loaded by a new leader: arm its timers and see to its claim. */
    record Loaded(String groupId) implements InternalCommand {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }
}
