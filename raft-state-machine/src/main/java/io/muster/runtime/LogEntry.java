package io.muster.runtime;

import java.util.List;

/**
 * What one proposal carries; the log has it as keys and values. Its token, {@code (evalTerm, sequence)}, becomes the token of every group whose batch applies; a
 * group may stand in it several times, each batch made on what the earlier one left (its base is then this entry's token).
 *
 * @param evalTerm the Raft term in which it was decided; in an entry of any other term it is a no-op
 * @param sequence rises with each proposal of a leadership, from 1; (term, sequence) at or below the shard's last applied one
 *     makes the entry a no-op
 * @param change what changes of the shard itself
 */
public record LogEntry(long evalTerm, long sequence, List<RecordBatch> batches, ShardChange change) {
    public LogEntry {
        batches = List.copyOf(batches);
    }

    /** An entry about groups only. */
    public LogEntry(long evalTerm, long sequence, List<RecordBatch> batches) {
        this(evalTerm, sequence, batches, ShardChange.NONE);
    }

    public Token token() {
        return new Token(evalTerm, sequence);
    }
}
