package io.muster.simulation;

import io.muster.runtime.ProposalOutcome.Verdict;
import java.util.List;

/** Watches every node apply every entry. */
interface AppliedObserver {
    /** Whether an entry was not applied by any node yet, so that the state before it is of interest. */
    boolean isNew(long index);

    /** @param before the state of each batch's group in the node's store before the entry, as text; empty unless the entry is new */
    void applied(SimulatedNode node, SimulatedCluster.Logged logged, List<String> before, List<Verdict> verdicts);

    void equalStores(List<String> digests);
}
