package io.muster.core.assignor;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Partitions;
import java.util.IntSummaryStatistics;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class PartitionAssignorProperties {
    @Property(tries = 500)
    void assign_anyMembers_givesEachSubscribedPartitionToOneSubscriber(@ForAll long seed) {
        Random random = new Random(seed);
        SortedMap<UUID, Integer> counts = counts(random);
        SortedMap<String, PartitionAssignor.Member> members = members(random, counts, false);

        for (String name : PartitionAssignors.names()) {
            check(members, counts, PartitionAssignors.find(name).orElseThrow().assign(members, counts));
        }
    }

    @Property(tries = 500)
    void uniform_ofEqualSubscriptions_isEvenAndSettlesAtOnce(@ForAll long seed) {
        Random random = new Random(seed);
        SortedMap<UUID, Integer> counts = counts(random);
        SortedMap<String, PartitionAssignor.Member> members = members(random, counts, true);
        PartitionAssignor uniform = PartitionAssignors.standard();

        SortedMap<String, Partitions<UUID>> target = uniform.assign(members, counts);

        IntSummaryStatistics sizes =
                target.values().stream().mapToInt(Partitions::size).summaryStatistics();
        assertThat(sizes.getMax() - sizes.getMin()).isLessThanOrEqualTo(1);
        assertThat(uniform.assign(after(members, target), counts)).isEqualTo(target);
    }

    @Property(tries = 500)
    void uniform_afterOneMemberLeft_movesOnlyItsPartitions(@ForAll long seed) {
        Random random = new Random(seed);
        SortedMap<UUID, Integer> counts = counts(random);
        SortedMap<String, PartitionAssignor.Member> members = members(random, counts, true);
        PartitionAssignor uniform = PartitionAssignors.standard();
        SortedMap<String, Partitions<UUID>> before = uniform.assign(members, counts);
        TreeMap<String, PartitionAssignor.Member> left = new TreeMap<>(after(members, before));
        left.pollFirstEntry();

        SortedMap<String, Partitions<UUID>> target = uniform.assign(left, counts);

        target.forEach(
                (id, partitions) -> assertThat(partitions.containsAll(before.getOrDefault(id, Partitions.none())))
                        .isTrue());
    }

    private static void check(
            SortedMap<String, PartitionAssignor.Member> members,
            SortedMap<UUID, Integer> counts,
            SortedMap<String, Partitions<UUID>> target) {
        TreeSet<String> given = new TreeSet<>();
        int[] places = {0};
        target.forEach((id, partitions) -> partitions.forEach((topic, partition) -> {
            PartitionAssignor.Member member = members.get(id);
            assertThat(member).isNotNull();
            assertThat(member.subscribed()).contains(topic);
            given.add(topic + ":" + partition);
            places[0]++;
        }));
        TreeSet<UUID> subscribed = new TreeSet<>();
        members.values().forEach(member -> subscribed.addAll(member.subscribed()));
        int expected = counts.entrySet().stream()
                .filter(count -> subscribed.contains(count.getKey()))
                .mapToInt(count -> count.getValue())
                .sum();
        assertThat(given).hasSize(expected);
        assertThat(places[0]).isEqualTo(expected);
    }

    private static SortedMap<UUID, Integer> counts(Random random) {
        TreeMap<UUID, Integer> counts = new TreeMap<>();
        for (int topic = 1 + random.nextInt(4); topic > 0; topic--) {
            counts.put(new UUID(topic, topic), 1 + random.nextInt(12));
        }
        return counts;
    }

    /** Members that had random partitions, no partition twice. */
    private static SortedMap<String, PartitionAssignor.Member> members(
            Random random, SortedMap<UUID, Integer> counts, boolean equal) {
        int size = 1 + random.nextInt(6);
        TreeMap<String, TreeMap<UUID, TreeSet<Integer>>> had = new TreeMap<>();
        counts.forEach((topic, count) -> {
            for (int partition = 0; partition < count; partition++) {
                had.computeIfAbsent("m" + random.nextInt(2 * size), id -> new TreeMap<>())
                        .computeIfAbsent(topic, id -> new TreeSet<>())
                        .add(partition);
            }
        });
        TreeMap<String, PartitionAssignor.Member> members = new TreeMap<>();
        for (int i = 0; i < size; i++) {
            TreeSet<UUID> subscribed = new TreeSet<>(counts.keySet());
            subscribed.removeIf(topic -> !equal && random.nextBoolean());
            members.put(
                    "m" + i,
                    new PartitionAssignor.Member(
                            subscribed, Partitions.copyOf(had.getOrDefault("m" + i, new TreeMap<>()))));
        }
        return members;
    }

    private static SortedMap<String, PartitionAssignor.Member> after(
            SortedMap<String, PartitionAssignor.Member> members, SortedMap<String, Partitions<UUID>> target) {
        TreeMap<String, PartitionAssignor.Member> after = new TreeMap<>();
        members.forEach((id, member) -> after.put(
                id, new PartitionAssignor.Member(member.subscribed(), target.getOrDefault(id, Partitions.none()))));
        return after;
    }
}
