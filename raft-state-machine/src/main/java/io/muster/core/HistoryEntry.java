package io.muster.core;

/**
 * Why a group's epoch changed, or why the group is gone.
 *
 * @param sequence rises by one with each entry of the group, also over its deletion
 * @param atMillis milliseconds since 1970, the deciding leader's clock
 * @param memberId the member that caused it, empty if none did
 * @param detail for people, for example the topics that changed; may be empty
 */
public record HistoryEntry(
        long sequence, long atMillis, int groupEpoch, Reason reason, String memberId, String detail) {
    /** How many entries a group keeps. */
    public static final int LIMIT = 100;

    /** The causes of a new group epoch, and of the group's end. */
    public enum Reason {
        JOINED,
        LEFT,
        SESSION_EXPIRED,
        REVOCATION_TIMED_OUT,
        REMOVED_BY_OPERATOR,
        FENCED,
        SUBSCRIPTION_CHANGED,
        MEMBER_CHANGED,
        TOPICS_CHANGED,
        TOPOLOGY_CHANGED,
        /** The target leaves tasks without an owner, for want of a member that may take them, or does so no longer. */
        TASKS_ORPHANED,
        CONFIGURATION_CHANGED,
        /** Copies of tasks have caught up, so that their tasks can move to them. */
        TASKS_CAUGHT_UP,
        DELETED
    }
}
