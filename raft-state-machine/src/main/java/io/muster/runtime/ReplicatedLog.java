package io.muster.runtime;

import java.util.concurrent.CompletableFuture;

/** The shard's Raft log as its leader sees it. Called on the shard's thread; futures complete on any thread. */
public interface ReplicatedLog {
    /**
     * Proposes an entry; entries are appended in the order of the calls. One that the log cannot hold is not proposed at all, and
     * what is returned is complete then. Never completes exceptionally.
     */
    CompletableFuture<ProposalOutcome> propose(LogEntry entry);

    /**
     * Whether this node still leads in this term: a linearizable read that the lease makes cheap. Never completes exceptionally.
     */
    CompletableFuture<Boolean> confirmLeadership(long term);
}
