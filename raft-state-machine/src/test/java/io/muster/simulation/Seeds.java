package io.muster.simulation;

import java.util.function.LongConsumer;

/**
 * The seeds of a run: from 1 on as many as wanted. {@code -Dsimulation.runs=N} sets how many, {@code -Dsimulation.from=N} the
 * first, {@code -Dsimulation.seed=N} runs one alone.
 */
final class Seeds {
    private Seeds() {}

    /** Runs the seeds and names the one that fails. */
    static void forEach(int count, LongConsumer life) {
        Long only = Long.getLong("simulation.seed");
        long first = only == null ? Long.getLong("simulation.from", 1) : only;
        long runs = only == null ? Integer.getInteger("simulation.runs", count) : 1;
        for (long seed = first; seed < first + runs; seed++) {
            try {
                life.accept(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + " fails; replay it with -Dsimulation.seed=" + seed, e);
            }
        }
    }
}
