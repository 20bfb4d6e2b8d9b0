package io.muster.core.assignor;

import io.muster.core.Partitions;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Spreads partitions evenly, whatever their topic, and leaves as many as it can where they are. If all members subscribe to the
 * same topics, no member has two more than another.
 */
final class UniformPartitionAssignor implements PartitionAssignor {
    @Override
    public String name() {
        return "uniform";
    }

    @Override
    public SortedMap<String, Partitions<UUID>> assign(
            SortedMap<String, Member> members, SortedMap<UUID, Integer> partitionCounts) {
        PartitionTargets targets = new PartitionTargets(members.keySet());
        if (members.isEmpty()) {
            return targets.result();
        }
        SortedMap<UUID, SortedSet<Integer>> open = allPartitions(members, partitionCounts);
        keep(members, open, targets);
        giveRest(members, open, targets);
        return targets.result();
    }

    private static SortedMap<UUID, SortedSet<Integer>> allPartitions(
            SortedMap<String, Member> members, SortedMap<UUID, Integer> partitionCounts) {
        TreeSet<UUID> subscribed = new TreeSet<>();
        members.values().forEach(member -> subscribed.addAll(member.subscribed()));
        TreeMap<UUID, SortedSet<Integer>> all = new TreeMap<>();
        partitionCounts.forEach((topic, count) -> {
            if (subscribed.contains(topic)) {
                TreeSet<Integer> numbers = new TreeSet<>();
                for (int number = 0; number < count; number++) {
                    numbers.add(number);
                }
                all.put(topic, numbers);
            }
        });
        return all;
    }

    /** Members keep what they have, up to their even share; some may keep one more, as many as the division leaves over. */
    private static void keep(
            SortedMap<String, Member> members, SortedMap<UUID, SortedSet<Integer>> open, PartitionTargets targets) {
        int total = open.values().stream().mapToInt(SortedSet::size).sum();
        int share = total / members.size();
        int[] extra = {total % members.size()};
        for (Map.Entry<String, Member> entry : members.entrySet()) {
            String id = entry.getKey();
            Member member = entry.getValue();
            member.before().forEach((topic, partition) -> {
                boolean mayKeep = targets.sizeOf(id) < share || (targets.sizeOf(id) == share && extra[0] > 0);
                if (mayKeep && member.subscribed().contains(topic) && take(open, topic, partition)) {
                    targets.give(id, topic, partition);
                    extra[0] -= targets.sizeOf(id) > share ? 1 : 0;
                }
            });
        }
    }

    private static boolean take(SortedMap<UUID, SortedSet<Integer>> open, UUID topic, int partition) {
        SortedSet<Integer> numbers = open.get(topic);
        return numbers != null && numbers.remove(partition);
    }

    /** What is left goes to whoever has the least among those who subscribe; topics with few subscribers first. */
    private static void giveRest(
            SortedMap<String, Member> members, SortedMap<UUID, SortedSet<Integer>> open, PartitionTargets targets) {
        TreeMap<UUID, TreeSet<String>> subscribers = new TreeMap<>();
        members.forEach((id, member) -> member.subscribed()
                .forEach(topic -> subscribers
                        .computeIfAbsent(topic, key -> new TreeSet<>())
                        .add(id)));
        open.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .sorted(Comparator.<Map.Entry<UUID, SortedSet<Integer>>>comparingInt(entry -> subscribers
                                .getOrDefault(entry.getKey(), new TreeSet<>())
                                .size())
                        .thenComparing(Map.Entry::getKey))
                .forEach(entry -> {
                    PriorityQueue<String> queue = new PriorityQueue<>(
                            Comparator.<String>comparingInt(targets::sizeOf).thenComparing(Comparator.naturalOrder()));
                    queue.addAll(subscribers.getOrDefault(entry.getKey(), new TreeSet<>()));
                    for (int partition : entry.getValue()) {
                        String id = queue.remove();
                        targets.give(id, entry.getKey(), partition);
                        queue.add(id);
                    }
                });
    }
}
