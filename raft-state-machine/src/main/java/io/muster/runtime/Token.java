package io.muster.runtime;

/**
 * Names the last change of a group: who made it and when. A decision is valid only on the token it was made on.
 *
 * @param term Raft term of the leader that decided
 * @param sequence the leader's sequence number within that term
 */
public record Token(long term, long sequence) implements Comparable<Token> {
    /** The token of a group that was never changed, or was deleted. */
    public static final Token NONE = new Token(0, 0);

    @Override
    public int compareTo(Token other) {
        int byTerm = Long.compare(term, other.term);
        return byTerm != 0 ? byTerm : Long.compare(sequence, other.sequence);
    }
}
