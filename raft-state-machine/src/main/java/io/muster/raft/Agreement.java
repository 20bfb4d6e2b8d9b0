package io.muster.raft;

/** What a leader says of an entry that another member has applied. */
enum Agreement {
    /** It does not lead, or has purged that part of its log. */
    UNKNOWN,
    /** Its log holds the same entry. */
    AGREES,
    /** Its log holds another entry there, or ends before it: never so while each disk keeps what it has acknowledged. */
    CONTRADICTS
}
