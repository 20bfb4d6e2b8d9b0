package io.muster.raft;

/** Hears who leads a shard. Called under Ratis's lock: returns at once. */
@FunctionalInterface
interface LeaderObserver {
    void leads(String leaderId, long term);
}
