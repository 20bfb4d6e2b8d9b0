package io.muster.codec;

import io.muster.runtime.ShardChange;
import io.muster.runtime.Token;
import io.muster.storage.StoreBatch;
import java.util.List;

/**
 * A log entry as a node applies it: what it writes under which guard. What the writes mean nobody has to know.
 *
 * @param evalTerm the Raft term in which it was decided; in an entry of any other term it is a no-op
 * @param sequence rises with each proposal of a leadership
 * @param featureLevel what a node has to know to hold what this entry writes
 * @param change what changes of the shard itself
 */
public record WrittenEntry(
        long evalTerm, long sequence, int featureLevel, List<WrittenBatch> batches, ShardChange change) {
    public WrittenEntry {
        batches = List.copyOf(batches);
    }

    public Token token() {
        return new Token(evalTerm, sequence);
    }

    /**
     * What one decision writes of one group.
     *
     * @param base the group's token that the decision was made on
     * @param next the group's token afterwards
     * @param writes under keys of the store, all of this group
     */
    public record WrittenBatch(String groupId, Token base, Token next, List<StoreBatch.Change> writes) {
        public WrittenBatch {
            writes = List.copyOf(writes);
        }
    }
}
