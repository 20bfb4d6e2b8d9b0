package io.muster.core.assignor;

import io.muster.core.assignor.PartitionAssignor.Subscription;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Places partitions among members that subscribe to different topics: members keep all they have, open partitions go to who has
 * least (of equals to one in a rack of the partition's), those first that few subscribe to, and then partitions move as long as that makes two members more even.
 */
final class MixedPlacement {
    private final PartitionTable table;
    private final List<List<SortedSet<Reader>>> subscribersByTopic = new ArrayList<>();
    private final List<SortedSet<Reader>> classOf = new ArrayList<>();

    /**
     * Members with equal subscriptions in one rack.
     *
     * @param rackId null if they did not say, or if nothing is known of the partitions' racks
     */
    private record Kind(Subscription subscription, @Nullable String rackId) {}

    MixedPlacement(PartitionTable table) {
        this.table = table;
    }

    void place() {
        table.keep((reader, partition) -> true);
        sortIntoClasses();
        giveOpen();
        boolean moved = true;
        while (moved) {
            moved = level();
        }
    }

    /** Members with equal subscriptions in one rack stand together, the least loaded first. */
    private void sortIntoClasses() {
        for (int topic = 0; topic < table.topicCount(); topic++) {
            subscribersByTopic.add(new ArrayList<>());
        }
        Map<Kind, SortedSet<Reader>> classes = new HashMap<>();
        for (Reader reader : table.readers) {
            Kind kind = new Kind(reader.member.subscription(), table.knowsRacks() ? reader.member.rackId() : null);
            classOf.add(classes.computeIfAbsent(kind, this::newClass));
            classOf.get(reader.index).add(reader);
        }
    }

    private SortedSet<Reader> newClass(Kind kind) {
        TreeSet<Reader> members = new TreeSet<>(Reader.BY_LOAD);
        table.topicsOf(kind.subscription())
                .forEach(topic -> subscribersByTopic.get(topic).add(members));
        return members;
    }

    private void giveOpen() {
        List<Integer> topics = new ArrayList<>();
        for (int topic = 0; topic < table.topicCount(); topic++) {
            topics.add(topic);
        }
        topics.sort(Comparator.comparingInt(topic ->
                subscribersByTopic.get(topic).stream().mapToInt(SortedSet::size).sum()));
        for (int topic : topics) {
            int end = topic + 1 == table.topicCount() ? table.size() : table.firstOf(topic + 1);
            for (int partition = table.firstOf(topic); partition < end; partition++) {
                if (table.isOpen(partition)) {
                    give(nearest(topic, partition), partition);
                }
            }
        }
    }

    private Reader leastLoaded(int topic) {
        return subscribersByTopic.get(topic).stream()
                .map(SortedSet::first)
                .min(Reader.BY_LOAD)
                .orElseThrow();
    }

    /** One of the least loaded, in a rack of the partition's if there is any. */
    private Reader nearest(int topic, int partition) {
        Reader least = leastLoaded(topic);
        if (!table.knowsRacks() || table.isNear(least, partition)) {
            return least;
        }
        return subscribersByTopic.get(topic).stream()
                .map(SortedSet::first)
                .filter(reader -> reader.load == least.load && table.isNear(reader, partition))
                .findFirst()
                .orElse(least);
    }

    private void give(Reader reader, int partition) {
        Reader loser = table.ownerOf(partition);
        SortedSet<Reader> mine = classOf.get(reader.index);
        if (loser != null) {
            classOf.get(loser.index).remove(loser);
        }
        mine.remove(reader);
        table.give(reader, partition);
        mine.add(reader);
        if (loser != null) {
            classOf.get(loser.index).add(loser);
        }
    }

    /** Moves partitions from the most loaded on to members that have two less; answers whether there was any. */
    private boolean level() {
        Map<Reader, List<Integer>> held = new HashMap<>();
        for (int partition = table.size() - 1; partition >= 0; partition--) {
            Reader owner = table.ownerOf(partition);
            if (owner != null) {
                held.computeIfAbsent(owner, key -> new ArrayList<>()).add(partition);
            }
        }
        List<Reader> byLoad = new ArrayList<>(table.readers);
        byLoad.sort(Reader.BY_LOAD.reversed());
        boolean moved = false;
        for (Reader from : byLoad) {
            for (int partition : held.getOrDefault(from, List.of())) {
                Reader to = leastLoaded(table.topicOf(partition));
                if (to.load <= from.load - 2) {
                    give(to, partition);
                    moved = true;
                }
            }
        }
        return moved;
    }
}
