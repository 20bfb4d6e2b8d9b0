package io.muster.core.assignor;

import io.muster.core.Partitions;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Cuts each topic into one range a subscriber, in the order of member ids, so that members with equal subscriptions get the same
 * numbers of topics with equal partition counts.
 */
final class RangePartitionAssignor implements PartitionAssignor {
    @Override
    public String name() {
        return "range";
    }

    @Override
    public SortedMap<String, Partitions<UUID>> assign(
            SortedMap<String, Member> members, SortedMap<UUID, Integer> partitionCounts) {
        PartitionTargets targets = new PartitionTargets(members.keySet());
        TreeMap<UUID, TreeSet<String>> subscribers = new TreeMap<>();
        members.forEach((id, member) -> member.subscribed()
                .forEach(topic -> subscribers
                        .computeIfAbsent(topic, key -> new TreeSet<>())
                        .add(id)));
        subscribers.forEach(
                (topic, ids) -> cut(topic, partitionCounts.getOrDefault(topic, 0), new ArrayList<>(ids), targets));
        return targets.result();
    }

    private static void cut(UUID topic, int count, List<String> ids, PartitionTargets targets) {
        int share = count / ids.size();
        int extra = count % ids.size();
        int next = 0;
        for (int i = 0; i < ids.size(); i++) {
            int end = next + share + (i < extra ? 1 : 0);
            while (next < end) {
                targets.give(ids.get(i), topic, next++);
            }
        }
    }
}
