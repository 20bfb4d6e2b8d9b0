package io.muster.core;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Facts that groups of every type share. */
public sealed interface CommonRecord extends GroupRecord {
    /** Does something for each kind; a new kind does not compile until everybody does. */
    interface Handler<T> {
        T on(GroupDeleted record);

        T on(ClaimSet record);

        T on(HistoryAppended record);

        T on(HistoryForgotten record);

        T on(ConfigsSet record);

        T on(TopicBasisSet record);

        T on(CommitConnectionSet record);
    }

    /** Hands the record to the method of its kind. */
    <T> T accept(Handler<T> handler);

    @Override
    default <T> T accept(GroupRecord.Handler<T> handler) {
        return handler.on(this);
    }

    /** The group is gone: all its records but history and configs. */
    record GroupDeleted() implements CommonRecord {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** The group's claim is this now. */
    record ClaimSet(Claim claim) implements CommonRecord {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** One more line of history; the entry {@link HistoryEntry#LIMIT} before it falls away. */
    record HistoryAppended(HistoryEntry entry) implements CommonRecord {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** Of a group that is gone nothing is left but its configs. */
    record HistoryForgotten() implements CommonRecord {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** The group's own configs are these now; outlive the group. */
    record ConfigsSet(SortedMap<String, String> configs) implements CommonRecord {
        public ConfigsSet {
            configs = Collections.unmodifiableSortedMap(new TreeMap<>(configs));
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** What the last target assignment was computed on: topics by name. */
    record TopicBasisSet(SortedMap<String, TopicInfo> topics) implements CommonRecord {
        public TopicBasisSet {
            topics = Collections.unmodifiableSortedMap(new TreeMap<>(topics));
        }

        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }

    /** A member commits by this connection now; forgotten with the member. */
    record CommitConnectionSet(String memberId, CommitConnection connection) implements CommonRecord {
        @Override
        public <T> T accept(Handler<T> handler) {
            return handler.on(this);
        }
    }
}
