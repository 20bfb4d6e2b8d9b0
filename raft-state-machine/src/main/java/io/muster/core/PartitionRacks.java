package io.muster.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The racks in which each partition of a topic has replicas. Most partitions share their racks with others, so each set of racks
 * is held once. Knowing of no rack at all is the same as not knowing.
 */
public final class PartitionRacks {
    /** Of no partition is a rack known. */
    public static final PartitionRacks UNKNOWN = new PartitionRacks(List.of(), new int[0]);

    private final List<SortedSet<String>> sets;
    private final int[] setOf;

    private PartitionRacks(List<SortedSet<String>> sets, int[] setOf) {
        this.sets = sets;
        this.setOf = setOf;
    }

    /** The racks of each partition, by partition number. */
    public static PartitionRacks of(List<? extends Collection<String>> byPartition) {
        Map<SortedSet<String>, Integer> places = new HashMap<>();
        List<SortedSet<String>> sets = new ArrayList<>();
        int[] setOf = new int[byPartition.size()];
        for (int partition = 0; partition < setOf.length; partition++) {
            SortedSet<String> racks = Collections.unmodifiableSortedSet(new TreeSet<>(byPartition.get(partition)));
            setOf[partition] = places.computeIfAbsent(racks, fresh -> {
                sets.add(fresh);
                return sets.size() - 1;
            });
        }
        return sets.stream().allMatch(Set::isEmpty) ? UNKNOWN : new PartitionRacks(List.copyOf(sets), setOf);
    }

    /**
     * What {@link #sets} and {@link #setOf} tell.
     *
     * @throws IllegalArgumentException if a partition names a set that is not there
     */
    public static PartitionRacks of(List<? extends Collection<String>> sets, List<Integer> setOf) {
        List<Collection<String>> byPartition = new ArrayList<>(setOf.size());
        for (int place : setOf) {
            if (place < 0 || place >= sets.size()) {
                throw new IllegalArgumentException("no set of racks " + place);
            }
            byPartition.add(sets.get(place));
        }
        return of(byPartition);
    }

    /** Whether a rack of any partition is known. */
    public boolean isKnown() {
        return !sets.isEmpty();
    }

    /** The racks of a partition; empty if none is known. */
    public SortedSet<String> racksOf(int partition) {
        return partition < setOf.length ? sets.get(setOf[partition]) : Collections.emptySortedSet();
    }

    /** The different sets of racks, in the order of the first partitions that have them. */
    public List<SortedSet<String>> sets() {
        return sets;
    }

    /** For each partition the place of its racks among {@link #sets}. */
    public List<Integer> setOf() {
        return Arrays.stream(setOf).boxed().toList();
    }

    @Override
    public boolean equals(Object other) {
        return other == this
                || (other instanceof PartitionRacks racks
                        && Arrays.equals(setOf, racks.setOf)
                        && sets.equals(racks.sets));
    }

    @Override
    public int hashCode() {
        return 31 * sets.hashCode() + Arrays.hashCode(setOf);
    }

    /** The racks of all partitions, as in {@code [[a, b], [b]]}. */
    @Override
    public String toString() {
        return Arrays.stream(setOf).mapToObj(sets::get).toList().toString();
    }
}
