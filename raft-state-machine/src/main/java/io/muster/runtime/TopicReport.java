package io.muster.runtime;

import io.muster.core.TopicInfo;
import java.util.List;
import java.util.Set;

/**
 * What a gateway saw of the topics that it watches, in one answer of one broker.
 *
 * @param absent names that the broker said do not exist
 * @param deleted those that a DeleteTopics through a gateway removed, so that one answer is enough
 */
public record TopicReport(List<TopicInfo> present, Set<String> absent, Set<String> deleted) {
    public TopicReport {
        present = List.copyOf(present);
        absent = Set.copyOf(absent);
        deleted = Set.copyOf(deleted);
    }
}
