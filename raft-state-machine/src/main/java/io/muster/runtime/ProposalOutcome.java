package io.muster.runtime;

import java.util.List;

/** What became of a proposal. What was appended is known only after the entry was applied here. */
public sealed interface ProposalOutcome {
    /** The entry was applied; each batch, in order, was or was not. */
    record Judged(List<Verdict> verdicts) implements ProposalOutcome {
        public Judged {
            verdicts = List.copyOf(verdicts);
        }
    }

    /** Nobody knows: it may have been applied, or may be later. */
    record Unknown(String reason) implements ProposalOutcome {}

    /**
     * The entry was not proposed: the log cannot hold it.
     *
     * @param bytes its size
     * @param limitBytes the most that the log takes
     */
    record TooLarge(int bytes, int limitBytes) implements ProposalOutcome {}

    /** What the guard said to one batch. */
    enum Verdict {
        APPLIED,
        /** The batch was made on a state that was not the group's any more; it changed nothing. */
        CONFLICT
    }
}
