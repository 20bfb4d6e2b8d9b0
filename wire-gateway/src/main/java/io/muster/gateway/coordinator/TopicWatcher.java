package io.muster.gateway.coordinator;

import io.muster.runtime.TopicReport;
import java.util.Set;
import java.util.function.Consumer;

/** Looks at the upstream cluster's topics for shards that leased the watch to this gateway. Any thread; returns at once. */
public interface TopicWatcher {
    /**
     * Begins a lease, or changes its names; names that are new are looked up at once.
     *
     * @param report called with each finding, on any thread, until the lease ends
     */
    void watch(TopicLease lease, Set<String> names, Consumer<TopicReport> report);

    /**
     * Looks at some names at once.
     *
     * @param deleted those of them that a successful DeleteTopics named
     */
    void look(TopicLease lease, Set<String> names, Set<String> deleted);

    void end(TopicLease lease);
}
