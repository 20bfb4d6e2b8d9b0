package io.muster.runtime;

import io.muster.core.TimerKey;

/** A timer of a group, or the end of its commands' patience. */
record TimerId(String groupId, TimerKey key) {
    private static final TimerKey PATIENCE = new TimerKey(TimerKey.Kind.PATIENCE, "");

    /** When the first of the group's waiting commands loses its patience. */
    static TimerId patience(String groupId) {
        return new TimerId(groupId, PATIENCE);
    }

    boolean isPatience() {
        return key.equals(PATIENCE);
    }
}
