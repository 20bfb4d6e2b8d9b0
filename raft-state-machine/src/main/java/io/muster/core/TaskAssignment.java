package io.muster.core;

import java.util.function.BinaryOperator;

/** Tasks of one Streams member by role; a task stands in one role at most. */
public record TaskAssignment(Partitions<String> active, Partitions<String> standby, Partitions<String> warmup) {
    public static final TaskAssignment EMPTY =
            new TaskAssignment(Partitions.none(), Partitions.none(), Partitions.none());

    public boolean isEmpty() {
        return active.isEmpty() && standby.isEmpty() && warmup.isEmpty();
    }

    public TaskAssignment plus(TaskAssignment other) {
        return combine(other, Partitions::plus);
    }

    public TaskAssignment minus(TaskAssignment other) {
        return combine(other, Partitions::minus);
    }

    public TaskAssignment intersect(TaskAssignment other) {
        return combine(other, Partitions::intersect);
    }

    private TaskAssignment combine(TaskAssignment other, BinaryOperator<Partitions<String>> operator) {
        return new TaskAssignment(
                operator.apply(active, other.active),
                operator.apply(standby, other.standby),
                operator.apply(warmup, other.warmup));
    }
}
