package io.muster.core.assignor;

import io.muster.core.assignor.PartitionAssignor.Subscription;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Places partitions among members that subscribe to different topics: members keep all they have, open partitions go to who has
 * least (of equals to one in a rack of the partition's), those first that few subscribe to, and then partitions move as long as that
 * makes two members more even.
 */
final class MixedPlacement {
    private final PartitionTable table;
    private final List<List<Peers>> subscribersByTopic = new ArrayList<>();
    private final List<Peers> peersOf = new ArrayList<>();

    /** @param rackId null if they did not say, or if nothing is known of the partitions' racks */
    private record Kind(Subscription subscription, @Nullable String rackId) {}

    MixedPlacement(PartitionTable table) {
        this.table = table;
    }

    void place() {
        table.keep((reader, partition) -> true);
        sortByKind();
        giveOpen();
        boolean moved = true;
        while (moved) {
            moved = isUneven() && level();
        }
    }

    private void sortByKind() {
        for (int topic = 0; topic < table.topicCount(); topic++) {
            subscribersByTopic.add(new ArrayList<>());
        }
        Map<Kind, Peers> kinds = new HashMap<>();
        for (Reader reader : table.readers) {
            Kind kind = new Kind(reader.member.subscription(), table.knowsRacks() ? reader.member.rackId() : null);
            Peers peers = kinds.get(kind);
            if (peers == null) {
                peers = newPeers(kind, reader);
                kinds.put(kind, peers);
            } else {
                peers.add(reader);
            }
            peersOf.add(peers);
        }
    }

    private Peers newPeers(Kind kind, Reader first) {
        Peers peers = new Peers(first);
        table.topicsOf(kind.subscription())
                .forEach(topic -> subscribersByTopic.get(topic).add(peers));
        return peers;
    }

    private void giveOpen() {
        IntStream.range(0, table.topicCount())
                .boxed()
                .sorted(Comparator.comparingInt(topic -> subscribersByTopic.get(topic).stream()
                        .mapToInt(Peers::size)
                        .sum()))
                .forEach(this::giveOpen);
    }

    private void giveOpen(int topic) {
        int end = topic + 1 == table.topicCount() ? table.size() : table.firstOf(topic + 1);
        PriorityQueue<Peers> subscribers = new PriorityQueue<>(subscribersByTopic.get(topic));
        for (int partition = table.firstOf(topic); partition < end; partition++) {
            if (!table.isOpen(partition)) {
                continue;
            }
            if (table.knowsRacks()) {
                give(nearest(topic, partition), partition);
            } else {
                Peers peers = subscribers.remove();
                give(peers.least(), partition);
                subscribers.add(peers);
            }
        }
    }

    private Reader leastLoaded(int topic) {
        return Collections.min(subscribersByTopic.get(topic)).least();
    }

    /** One of the least loaded, in a rack of the partition's if there is any. */
    private Reader nearest(int topic, int partition) {
        Reader least = leastLoaded(topic);
        if (table.isNear(least, partition)) {
            return least;
        }
        return subscribersByTopic.get(topic).stream()
                .map(Peers::least)
                .filter(reader -> reader.load == least.load && table.isNear(reader, partition))
                .findFirst()
                .orElse(least);
    }

    private void give(Reader reader, int partition) {
        Reader loser = table.ownerOf(partition);
        Runnable change = () -> peersOf.get(reader.index).change(reader, () -> table.give(reader, partition));
        if (loser == null) {
            change.run();
        } else {
            peersOf.get(loser.index).change(loser, change);
        }
    }

    /** Whether any member has two more than another: only then there may be something to move. */
    private boolean isUneven() {
        int least = table.readers.stream().mapToInt(reader -> reader.load).min().orElse(0);
        return table.readers.stream().anyMatch(reader -> reader.load >= least + 2);
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
            moved |= level(from, held.getOrDefault(from, List.of()));
        }
        return moved;
    }

    /** @param held what the member had when the round began, topic by topic */
    private boolean level(Reader from, List<Integer> held) {
        boolean moved = false;
        int topic = -1;
        Reader to = from;
        for (int partition : held) {
            if (table.topicOf(partition) != topic) {
                topic = table.topicOf(partition);
                to = leastLoaded(topic);
            }
            if (to.load <= from.load - 2) {
                give(to, partition);
                to = leastLoaded(topic);
                moved = true;
            }
        }
        return moved;
    }
}
