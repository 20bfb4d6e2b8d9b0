package io.muster.runtime;

import java.util.Set;

/** Tells the gateway that holds the watch which topics the shard's groups need; its reports come back to the shard. */
public interface TopicWatch {
    /** The names that matter from now on; those never reported before are looked up at once. */
    void watch(Set<String> topicNames);
}
