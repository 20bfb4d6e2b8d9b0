package io.muster.raft;

/**
 * Where a member of a shard's Raft group stands, as it says itself.
 *
 * @param term its current one
 * @param leads it leads in that term, and has applied an entry of its own leadership
 * @param lastIndex of its log or snapshot, -1 if it has neither
 * @param lost its data was put aside because something was missing
 */
record Standing(long term, boolean leads, long lastIndex, boolean lost) {
    /** Of a member that never had the shard. */
    static final Standing NOTHING = new Standing(0, false, -1, false);

    /** Nothing of the shard was ever agreed on with this member's help, as far as it knows. */
    boolean isEmpty() {
        return lastIndex < 0 && !lost;
    }
}
