package io.muster.gateway.kafka.offsets;

import io.muster.core.CommitCommand.TopicPartition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Uuid;

/**
 * What the topics of one request are called here and upstream.
 *
 * @param byId whether the client names topics by id
 * @param translated whether upstream, which knows names only, is told the names of the ids
 * @param names of the ids that have one
 * @param unheard partitions that upstream refuses whoever the member is, so that the coordinator need not judge them
 */
record RequestTopics(boolean byId, boolean translated, Map<Uuid, String> names, Set<TopicPartition> unheard) {
    RequestTopics {
        names = Map.copyOf(names);
        unheard = Set.copyOf(unheard);
    }

    boolean isKnown(Uuid id) {
        return !byId || names.containsKey(id);
    }

    String nameOf(Uuid id, String name) {
        return byId ? names.getOrDefault(id, "") : name;
    }

    /** The ids by name, for answers of an upstream that was told names. */
    Map<String, Uuid> ids() {
        Map<String, Uuid> ids = new HashMap<>();
        names.forEach((id, name) -> ids.put(name, id));
        return ids;
    }

    boolean isHeard(TopicPartition partition) {
        return !unheard.contains(partition);
    }

    /** The same topics, with more partitions of which the coordinator does not hear; empty if there are no more. */
    Optional<RequestTopics> without(Set<TopicPartition> more) {
        if (unheard.containsAll(more)) {
            return Optional.empty();
        }
        Set<TopicPartition> all = new HashSet<>(unheard);
        all.addAll(more);
        return Optional.of(new RequestTopics(byId, translated, names, all));
    }
}
