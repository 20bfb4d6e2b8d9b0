package io.muster.core;

/** Tasks of one Streams member by role; a task stands in one role at most. */
public record TaskAssignment(Partitions<String> active, Partitions<String> standby, Partitions<String> warmup) {
    public static final TaskAssignment EMPTY =
            new TaskAssignment(Partitions.none(), Partitions.none(), Partitions.none());
}
