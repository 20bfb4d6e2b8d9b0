package io.muster.core.assignor;

import io.muster.core.Partitions;
import java.util.Collection;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Partitions by member while an assignor works. */
final class PartitionTargets {
    private final TreeMap<String, TreeMap<UUID, SortedSet<Integer>>> byMember = new TreeMap<>();
    private final TreeMap<String, Integer> sizes = new TreeMap<>();

    PartitionTargets(Collection<String> memberIds) {
        memberIds.forEach(id -> {
            byMember.put(id, new TreeMap<>());
            sizes.put(id, 0);
        });
    }

    void give(String memberId, UUID topic, int partition) {
        TreeMap<UUID, SortedSet<Integer>> topics = byMember.computeIfAbsent(memberId, id -> new TreeMap<>());
        topics.computeIfAbsent(topic, id -> new TreeSet<>()).add(partition);
        sizes.merge(memberId, 1, Integer::sum);
    }

    int sizeOf(String memberId) {
        return sizes.getOrDefault(memberId, 0);
    }

    SortedMap<String, Partitions<UUID>> result() {
        TreeMap<String, Partitions<UUID>> result = new TreeMap<>();
        byMember.forEach((id, topics) -> result.put(id, new Partitions<>(topics)));
        return result;
    }
}
