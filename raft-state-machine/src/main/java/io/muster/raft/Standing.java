package io.muster.raft;

/**
 * Where a member of a shard's Raft group stands, as it says itself.
 *
 * @param term its current one; of one that has lost it, the last that its log knows
 * @param lastIndex of its log or snapshot, -1 if it has neither
 */
record Standing(Kind kind, long term, long lastIndex) {
    /** What a member has of the shard. */
    enum Kind {
        /** It never had the shard. */
        NOTHING,
        /** It takes part and does not lead. */
        FOLLOWS,
        /** It leads in its term, and has applied an entry of its own leadership. */
        LEADS,
        /** Its data was put aside because something was missing. */
        LOST,
        /** It has its log, and has lost its term and its vote. */
        VOTE_LOST
    }

    /** Of a member that never had the shard. */
    static final Standing NOTHING = new Standing(Kind.NOTHING, 0, -1);

    /** Of a member whose data was put aside. */
    static final Standing LOST = new Standing(Kind.LOST, 0, -1);

    /** Nothing of the shard was ever agreed on with this member's help, as far as it knows. */
    boolean isEmpty() {
        return lastIndex < 0 && (kind == Kind.NOTHING || kind == Kind.FOLLOWS || kind == Kind.LEADS);
    }

    /** Whether it knows every term that it was in and every vote that it gave. */
    boolean remembersVotes() {
        return kind == Kind.FOLLOWS || kind == Kind.LEADS;
    }
}
