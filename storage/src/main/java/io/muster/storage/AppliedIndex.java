package io.muster.storage;

/**
 * The position in the Raft log up to which a store has applied entries.
 *
 * @param term Raft term of the last applied entry, 0 before the first
 * @param index Raft log index of the last applied entry, -1 before the first
 */
public record AppliedIndex(long term, long index) implements Comparable<AppliedIndex> {
    /** Nothing applied yet. */
    public static final AppliedIndex NONE = new AppliedIndex(0, -1);

    @Override
    public int compareTo(AppliedIndex other) {
        int byTerm = Long.compare(term, other.term);
        return byTerm != 0 ? byTerm : Long.compare(index, other.index);
    }
}
