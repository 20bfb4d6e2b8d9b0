package io.muster.simulation;

import io.muster.runtime.ProposalOutcome.Verdict;
import java.util.List;

/** Watches every node apply every entry. */
interface AppliedObserver {
    /** @param before the state of each batch's group in the node's store before the entry, as text */
    void applied(SimulatedNode node, SimulatedCluster.Logged logged, List<String> before, List<Verdict> verdicts);

    void equalStores(List<String> digests);
}
