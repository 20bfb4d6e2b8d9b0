package io.muster.runtime;

import java.util.List;

/** What became of a proposal, known only after its entry was applied here. */
public sealed interface ProposalOutcome {
    /** The entry was applied; each batch, in order, was or was not. */
    record Judged(List<Verdict> verdicts) implements ProposalOutcome {
        public Judged {
            verdicts = List.copyOf(verdicts);
        }
    }

    /** Nobody knows: it may have been applied, or may be later. */
    record Unknown(String reason) implements ProposalOutcome {}

    /** What the guard said to one batch. */
    enum Verdict {
        APPLIED,
        /** The batch was made on a state that was not the group's any more; it changed nothing. */
        CONFLICT
    }
}
