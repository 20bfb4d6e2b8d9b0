package io.muster.core.assignor;

import io.muster.core.PartitionNumbers;
import io.muster.core.Partitions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Cuts each topic into one range a subscriber, so that members with equal subscriptions get the same numbers of topics with equal
 * partition counts. Static members come first, in the order of their instance ids, so that a restart under another member id
 * moves nothing; then the others in the order of member ids.
 */
final class RangePartitionAssignor implements PartitionAssignor {
    private static final Comparator<Map.Entry<String, Member>> ORDER = Comparator.comparing(
                    (Map.Entry<String, Member> entry) -> entry.getValue().instanceId(),
                    Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(Map.Entry::getKey);

    /** A topic that is being cut. */
    private static final class Cut {
        final int partitions;
        int subscribers;
        int served;
        int next;

        Cut(int partitions) {
            this.partitions = partitions;
        }

        PartitionNumbers take() {
            int count = partitions / subscribers + (served < partitions % subscribers ? 1 : 0);
            served++;
            int first = next;
            next += count;
            return PartitionNumbers.range(first, next);
        }
    }

    @Override
    public String name() {
        return "range";
    }

    @Override
    public SortedMap<String, Partitions<UUID>> assign(
            SortedMap<String, Member> members, SortedMap<UUID, Topic> topics) {
        Map<UUID, Cut> cuts = new HashMap<>();
        topics.forEach((id, topic) -> cuts.put(id, new Cut(topic.partitions())));
        List<Map.Entry<String, Member>> ordered = new ArrayList<>(members.entrySet());
        ordered.sort(ORDER);
        for (Map.Entry<String, Member> entry : ordered) {
            for (UUID topic : entry.getValue().subscribed()) {
                Cut cut = cuts.get(topic);
                if (cut != null) {
                    cut.subscribers++;
                }
            }
        }
        TreeMap<String, Partitions<UUID>> targets = new TreeMap<>();
        ordered.forEach(entry -> targets.put(entry.getKey(), ranges(entry.getValue(), cuts)));
        return targets;
    }

    private static Partitions<UUID> ranges(Member member, Map<UUID, Cut> cuts) {
        List<UUID> topics = new ArrayList<>(member.subscribed().size());
        List<PartitionNumbers> numbers = new ArrayList<>(member.subscribed().size());
        for (UUID topic : member.subscribed()) {
            Cut cut = cuts.get(topic);
            PartitionNumbers range = cut == null ? PartitionNumbers.range(0, 0) : cut.take();
            if (!range.isEmpty()) {
                topics.add(topic);
                numbers.add(range);
            }
        }
        return Partitions.ofAscending(topics, numbers);
    }
}
