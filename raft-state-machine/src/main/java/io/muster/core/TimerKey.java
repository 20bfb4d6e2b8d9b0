package io.muster.core;

/**
 * Names a timer of a group. Arming a key again replaces what was armed.
 *
 * @param subject a member id, or empty for a timer of the whole group
 */
public record TimerKey(Kind kind, String subject) {
    /** What a timer is for. */
    public enum Kind {
        SESSION,
        REBALANCE,
        INITIAL_DELAY,
        ASSIGNMENT_INTERVAL,
        INTERNAL_TOPICS,
        CLAIM_HEARTBEAT,
        CLAIM_RETRY,
        CLAIM_RELEASE,
        /** Somebody waits for commits in flight. */
        CLAIM_HASTEN,
        /** Commits in flight may never be heard of. */
        CLAIM_SETTLE,
        /** The patience of commands that wait: the runtime's own, never armed by a decision. */
        PATIENCE
    }
}
