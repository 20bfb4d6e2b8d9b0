package io.muster.core;

/** A fact about one group: the only thing that changes it, kept in the log and, under its key, in the store. */
public sealed interface GroupRecord permits CommonRecord, ConsumerGroupRecord, StreamsGroupRecord {
    /** Does something for each family of records. */
    interface Handler<T> {
        T on(CommonRecord record);

        T on(ConsumerGroupRecord record);

        T on(StreamsGroupRecord record);
    }

    /** The record of any family that a member is gone. */
    interface OfRemoval {
        String memberId();
    }

    /** Hands the record to the method of its family. */
    <T> T accept(Handler<T> handler);
}
