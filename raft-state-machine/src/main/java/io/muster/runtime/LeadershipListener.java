package io.muster.runtime;

/** Told of leadership by the log. The calls may come under the log's locks: they only enqueue and return. */
public interface LeadershipListener {
    /** This node leads the shard from now on, and everything of earlier terms is in the store. */
    void leaderReady(long term);

    /** This node does not lead any more, or its store was replaced: forget everything. */
    void leaderLost();
}
