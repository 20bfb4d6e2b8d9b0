package io.muster.core.assignor;

import io.muster.core.PartitionNumbers;
import io.muster.core.Partitions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** A member of a consumer group while partitions are assigned. */
final class Reader {
    /** The least loaded first, of equals the first by member id. */
    static final Comparator<Reader> BY_LOAD =
            Comparator.<Reader>comparingInt(reader -> reader.load).thenComparingInt(reader -> reader.index);

    /** Place in the order of member ids, from 0. */
    final int index;

    final String memberId;
    final PartitionAssignor.Member member;

    /** How many partitions it has so far. */
    int load;

    /** Whether it has anything else than before. */
    boolean changed;

    private int[] partitions = {};
    private int size;

    Reader(int index, String memberId, PartitionAssignor.Member member) {
        this.index = index;
        this.memberId = memberId;
        this.member = member;
    }

    /** Takes the partition into its target; in the order of their numbers. */
    void add(int partition) {
        if (size == partitions.length) {
            partitions = Arrays.copyOf(partitions, Math.max(load, 2 * size));
        }
        partitions[size++] = partition;
    }

    /** What was added. */
    Partitions<UUID> target(PartitionTable table) {
        List<UUID> topics = new ArrayList<>();
        List<PartitionNumbers> numbers = new ArrayList<>();
        int[] some = new int[size];
        int count = 0;
        for (int place = 0; place < size; place++) {
            int topic = table.topicOf(partitions[place]);
            some[count++] = table.numberOf(partitions[place]);
            if (place + 1 == size || table.topicOf(partitions[place + 1]) != topic) {
                topics.add(table.topicId(topic));
                numbers.add(PartitionNumbers.ofAscending(some, count));
                count = 0;
            }
        }
        return Partitions.ofAscending(topics, numbers);
    }
}
