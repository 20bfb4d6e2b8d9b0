package io.muster.core.assignor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Places partitions among members that all subscribe to the same topics: members keep what they have up to their even share, the
 * rest goes to who has room, first to members in a rack of one of the partition's replicas. Who has too much gives up first what
 * it reads from another rack.
 */
final class EqualPlacement {
    private final PartitionTable table;
    private final int share;
    private int larger;

    EqualPlacement(PartitionTable table) {
        this.table = table;
        int members = Math.max(1, table.readers.size());
        share = table.size() / members;
        larger = table.size() % members;
    }

    void place() {
        if (table.knowsRacks()) {
            table.keep((reader, partition) -> table.isNear(reader, partition) && mayKeep(reader, partition));
        }
        table.keep(this::mayKeep);
        if (table.isAnyOpen()) {
            giveToRest(giveNear(table.open()));
        }
    }

    /** Some may keep one more than the share, as many as the division leaves over. */
    private boolean mayKeep(Reader reader, int partition) {
        if (reader.load < share) {
            return true;
        }
        boolean may = reader.load == share && larger > 0;
        larger -= may ? 1 : 0;
        return may;
    }

    private boolean hasRoom(Reader reader) {
        return reader.load < share || (reader.load == share && larger > 0);
    }

    private void give(Reader reader, int partition) {
        larger -= reader.load == share ? 1 : 0;
        table.give(reader, partition);
    }

    /** Gives partitions to members in their racks, those first that have the least choice; answers what is left. */
    private List<Integer> giveNear(List<Integer> open) {
        Map<String, PriorityQueue<Reader>> byRack = new HashMap<>();
        for (Reader reader : table.readers) {
            String rack = reader.member.rackId();
            if (rack != null) {
                byRack.computeIfAbsent(rack, key -> new PriorityQueue<>(Reader.BY_LOAD))
                        .add(reader);
            }
        }
        if (byRack.isEmpty() || !table.knowsRacks()) {
            return open;
        }
        List<Integer> byChoice = new ArrayList<>(open);
        byChoice.sort(Comparator.comparingInt(partition -> choices(byRack.keySet(), table.racksOf(partition))));
        List<Integer> left = new ArrayList<>();
        for (int partition : byChoice) {
            if (!giveNear(byRack, partition)) {
                left.add(partition);
            }
        }
        return left;
    }

    private static int choices(Set<String> racks, Set<String> replicas) {
        return (int) replicas.stream().filter(racks::contains).count();
    }

    private boolean giveNear(Map<String, PriorityQueue<Reader>> byRack, int partition) {
        Reader nearest = null;
        for (String rack : table.racksOf(partition)) {
            PriorityQueue<Reader> some = byRack.get(rack);
            Reader least = some == null ? null : some.peek();
            if (least != null && (nearest == null || Reader.BY_LOAD.compare(least, nearest) < 0)) {
                nearest = least;
            }
        }
        if (nearest == null || !hasRoom(nearest)) {
            return false;
        }
        PriorityQueue<Reader> queue = byRack.get(nearest.member.rackId());
        if (queue != null) {
            queue.remove();
            give(nearest, partition);
            queue.add(nearest);
        }
        return true;
    }

    /** Fills members one after the other, so that each gets few topics. */
    private void giveToRest(List<Integer> open) {
        int next = 0;
        for (Reader reader : table.readers) {
            while (next < open.size() && hasRoom(reader)) {
                give(reader, open.get(next++));
            }
        }
    }
}
