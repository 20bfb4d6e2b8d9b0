package io.muster.core;

import java.util.SortedMap;

/** Facts that groups of every type share. */
public sealed interface CommonRecord extends GroupRecord {
    /** The group is gone: all its records but history and configs. */
    record GroupDeleted() implements CommonRecord {}

    /** The group's claim is this now. */
    record ClaimSet(Claim claim) implements CommonRecord {}

    /** One more line of history; the entry {@link HistoryEntry#LIMIT} before it falls away. */
    record HistoryAppended(HistoryEntry entry) implements CommonRecord {}

    /** Of a group that is gone nothing is left but its configs. */
    record HistoryForgotten() implements CommonRecord {}

    /** The group's own configs are these now; outlive the group. */
    record ConfigsSet(SortedMap<String, String> configs) implements CommonRecord {}

    /** What the last target assignment was computed on: topics by name. */
    record TopicBasisSet(SortedMap<String, TopicInfo> topics) implements CommonRecord {}

    /** A member commits by this connection now; forgotten with the member. */
    record CommitConnectionSet(String memberId, String connectionId) implements CommonRecord {}
}
