package io.muster.core;

/** The kinds of group that Muster coordinates. */
public enum GroupType {
    /** KIP-848. */
    CONSUMER,
    /** KIP-1071. */
    STREAMS
}
