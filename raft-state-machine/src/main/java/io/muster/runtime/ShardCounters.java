package io.muster.runtime;

import java.util.concurrent.atomic.LongAdder;

/** Counts what a shard's leader does, from the start of the process. Any thread may read. */
public final class ShardCounters {
    private final LongAdder commands = new LongAdder();
    private final LongAdder quietDecisions = new LongAdder();
    private final LongAdder changingDecisions = new LongAdder();
    private final LongAdder entries = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final LongAdder unknownOutcomes = new LongAdder();
    private final LongAdder failures = new LongAdder();

    /**
     * What was counted so far.
     *
     * @param commands commands decided on
     * @param quietDecisions decisions that changed nothing
     * @param changingDecisions decisions with records
     * @param entries log entries proposed
     * @param conflicts decisions that the guard refused
     * @param unknownOutcomes decisions of which nobody knows whether they were applied
     * @param failures decisions that ended in an exception
     */
    public record Counts(
            long commands,
            long quietDecisions,
            long changingDecisions,
            long entries,
            long conflicts,
            long unknownOutcomes,
            long failures) {}

    public Counts counts() {
        return new Counts(
                commands.sum(),
                quietDecisions.sum(),
                changingDecisions.sum(),
                entries.sum(),
                conflicts.sum(),
                unknownOutcomes.sum(),
                failures.sum());
    }

    void decided(int commandsDecided, boolean quiet) {
        commands.add(commandsDecided);
        (quiet ? quietDecisions : changingDecisions).increment();
    }

    void proposed() {
        entries.increment();
    }

    void conflict() {
        conflicts.increment();
    }

    void unknownOutcome() {
        unknownOutcomes.increment();
    }

    void failed() {
        failures.increment();
    }
}
