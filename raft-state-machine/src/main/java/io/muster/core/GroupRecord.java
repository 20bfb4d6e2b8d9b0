package io.muster.core;

/** A fact about one group: the only thing that changes it, kept in the log and, under its key, in the store. */
public sealed interface GroupRecord permits CommonRecord, ConsumerRecord, StreamsRecord {}
