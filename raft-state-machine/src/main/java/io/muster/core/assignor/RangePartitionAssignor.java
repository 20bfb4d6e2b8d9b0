package io.muster.core.assignor;

import io.muster.core.PartitionNumbers;
import io.muster.core.Partitions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
        private final PartitionNumbers all;
        private int subscribers;
        private int served;
        private int next;

        Cut(int partitions) {
            all = PartitionNumbers.below(partitions);
        }

        PartitionNumbers take() {
            int count = all.size() / subscribers + (served < all.size() % subscribers ? 1 : 0);
            served++;
            int first = next;
            next += count;
            return all.slice(first, next);
        }
    }

    /** The topics that exist of a subscription, in the order of their ids. */
    private record Cuts(List<UUID> topics, List<Cut> cuts) {}

    @Override
    public String name() {
        return "range";
    }

    @Override
    public SortedMap<String, Partitions<UUID>> assign(
            SortedMap<String, Member> members, SortedMap<UUID, Topic> topics) {
        TreeMap<UUID, Cut> cuts = new TreeMap<>();
        topics.forEach((id, topic) -> cuts.put(id, new Cut(topic.partitions())));
        List<Map.Entry<String, Member>> ordered = new ArrayList<>(members.entrySet());
        ordered.sort(ORDER);
        IdentityHashMap<Subscription, Cuts> bySubscription = new IdentityHashMap<>();
        for (Map.Entry<String, Member> entry : ordered) {
            Cuts mine = bySubscription.computeIfAbsent(
                    entry.getValue().subscription(), subscription -> cutsOf(subscription, cuts));
            mine.cuts().forEach(cut -> cut.subscribers++);
        }
        TreeMap<String, Partitions<UUID>> targets = new TreeMap<>();
        for (Map.Entry<String, Member> entry : ordered) {
            Cuts mine =
                    Objects.requireNonNull(bySubscription.get(entry.getValue().subscription()));
            targets.put(entry.getKey(), ranges(mine));
        }
        return targets;
    }

    private static Cuts cutsOf(Subscription subscription, Map<UUID, Cut> all) {
        List<UUID> topics = new ArrayList<>();
        List<Cut> cuts = new ArrayList<>();
        for (UUID topic : subscription.topics()) {
            Cut cut = all.get(topic);
            if (cut != null) {
                topics.add(topic);
                cuts.add(cut);
            }
        }
        return new Cuts(List.copyOf(topics), List.copyOf(cuts));
    }

    private static Partitions<UUID> ranges(Cuts mine) {
        List<UUID> topics = new ArrayList<>(mine.topics().size());
        List<PartitionNumbers> numbers = new ArrayList<>(mine.topics().size());
        for (int place = 0; place < mine.topics().size(); place++) {
            PartitionNumbers range = mine.cuts().get(place).take();
            if (!range.isEmpty()) {
                topics.add(mine.topics().get(place));
                numbers.add(range);
            }
        }
        return Partitions.ofAscending(topics.size() == mine.topics().size() ? mine.topics() : topics, numbers);
    }
}
