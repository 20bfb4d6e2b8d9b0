package io.muster.core.assignor;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.PartitionRacks;
import io.muster.core.Partitions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
        SortedMap<UUID, PartitionAssignor.Topic> topics = topics(random);
        SortedMap<String, PartitionAssignor.Member> members = members(random, topics, false);

        for (String name : PartitionAssignors.names()) {
            check(members, topics, PartitionAssignors.find(name).orElseThrow().assign(members, topics));
        }
    }

    @Property(tries = 500)
    void uniform_ofEqualSubscriptions_isEvenAndSettlesAtOnce(@ForAll long seed) {
        Random random = new Random(seed);
        SortedMap<UUID, PartitionAssignor.Topic> topics = topics(random);
        SortedMap<String, PartitionAssignor.Member> members = members(random, topics, true);
        PartitionAssignor uniform = PartitionAssignors.standard();

        SortedMap<String, Partitions<UUID>> target = uniform.assign(members, topics);

        IntSummaryStatistics sizes =
                target.values().stream().mapToInt(Partitions::size).summaryStatistics();
        assertThat(sizes.getMax() - sizes.getMin()).isLessThanOrEqualTo(1);
        assertThat(uniform.assign(after(members, target), topics)).isEqualTo(target);
    }

    @Property(tries = 500)
    void uniform_afterOneMemberLeft_movesOnlyItsPartitions(@ForAll long seed) {
        Random random = new Random(seed);
        SortedMap<UUID, PartitionAssignor.Topic> topics = topics(random);
        SortedMap<String, PartitionAssignor.Member> members = members(random, topics, true);
        PartitionAssignor uniform = PartitionAssignors.standard();
        SortedMap<String, Partitions<UUID>> before = uniform.assign(members, topics);
        TreeMap<String, PartitionAssignor.Member> left = new TreeMap<>(after(members, before));
        left.pollFirstEntry();

        SortedMap<String, Partitions<UUID>> target = uniform.assign(left, topics);

        target.forEach(
                (id, partitions) -> assertThat(partitions.containsAll(before.getOrDefault(id, Partitions.none())))
                        .isTrue());
    }

    @Property(tries = 500)
    void uniform_ofDifferentSubscriptions_leavesNoMoveThatEvensOut(@ForAll long seed) {
        Random random = new Random(seed);
        SortedMap<UUID, PartitionAssignor.Topic> topics = topics(random);
        SortedMap<String, PartitionAssignor.Member> members = members(random, topics, false);
        PartitionAssignor uniform = PartitionAssignors.standard();

        SortedMap<String, Partitions<UUID>> target = uniform.assign(members, topics);

        target.forEach((from, had) -> had.byKey()
                .keySet()
                .forEach(topic -> members.forEach((to, member) -> {
                    if (member.subscribed().contains(topic)) {
                        assertThat(had.size())
                                .isLessThanOrEqualTo(target.get(to).size() + 1);
                    }
                })));
        assertThat(uniform.assign(after(members, target), topics)).isEqualTo(target);
    }

    @Property(tries = 300)
    void uniform_whenOneMemberJoins_movesOnlyToIt(@ForAll long seed) {
        Random random = new Random(seed);
        SortedMap<UUID, PartitionAssignor.Topic> topics = topics(random);
        SortedMap<String, PartitionAssignor.Member> members = members(random, topics, true);
        PartitionAssignor uniform = PartitionAssignors.standard();
        SortedMap<String, Partitions<UUID>> before = uniform.assign(members, topics);
        TreeMap<String, PartitionAssignor.Member> joined = new TreeMap<>(after(members, before));
        String id = random.nextBoolean() ? "a" : "z";
        joined.put(id, new PartitionAssignor.Member(new TreeSet<>(topics.keySet()), Partitions.none()));

        SortedMap<String, Partitions<UUID>> target = uniform.assign(joined, topics);

        before.forEach(
                (old, had) -> assertThat(had.containsAll(target.get(old))).isTrue());
    }

    @Property(tries = 300)
    void uniform_withARackForEachPartition_readsFromTheNearest(@ForAll long seed) {
        Random random = new Random(seed);
        int racks = 1 + random.nextInt(4);
        int membersInRack = 1 + random.nextInt(3);
        int partitionsInRack = membersInRack * random.nextInt(5);
        List<Set<String>> replicas = new ArrayList<>();
        TreeMap<String, PartitionAssignor.Member> members = new TreeMap<>();
        UUID topic = new UUID(1, 1);
        PartitionAssignor.Subscription all = new PartitionAssignor.Subscription(new TreeSet<>(Set.of(topic)));
        for (int rack = 0; rack < racks; rack++) {
            replicas.addAll(Collections.nCopies(partitionsInRack, Set.of("r" + rack, "elsewhere")));
            for (int i = 0; i < membersInRack; i++) {
                members.put("m" + rack + i, new PartitionAssignor.Member(all, Partitions.none(), null, "r" + rack));
            }
        }
        Collections.shuffle(replicas, random);
        TreeMap<UUID, PartitionAssignor.Topic> topics = new TreeMap<>();
        topics.put(topic, new PartitionAssignor.Topic(replicas.size(), PartitionRacks.of(replicas)));

        SortedMap<String, Partitions<UUID>> target =
                PartitionAssignors.standard().assign(members, topics);

        target.forEach((id, mine) -> mine.forEach(
                (same, partition) -> assertThat(replicas.get(partition)).contains("r" + id.charAt(1))));
    }

    @Property(tries = 300)
    void uniform_whenMembersOfOtherRacksJoin_leavesThemWhatIsInTheirRacks(@ForAll long seed) {
        Random random = new Random(seed);
        int racks = 2 + random.nextInt(3);
        int each = 1 + random.nextInt(5);
        List<Set<String>> replicas = new ArrayList<>();
        for (int rack = 0; rack < racks; rack++) {
            replicas.addAll(Collections.nCopies(each, Set.of("r" + rack)));
        }
        Collections.shuffle(replicas, random);
        UUID topic = new UUID(1, 1);
        TreeMap<UUID, PartitionAssignor.Topic> topics = new TreeMap<>();
        topics.put(topic, new PartitionAssignor.Topic(replicas.size(), PartitionRacks.of(replicas)));
        PartitionAssignor.Subscription all = new PartitionAssignor.Subscription(new TreeSet<>(Set.of(topic)));
        TreeMap<String, PartitionAssignor.Member> members = new TreeMap<>();
        members.put("m0", new PartitionAssignor.Member(all, Partitions.none(), null, "r0"));
        SortedMap<String, Partitions<UUID>> alone =
                PartitionAssignors.standard().assign(members, topics);
        members.put("m0", new PartitionAssignor.Member(all, alone.get("m0"), null, "r0"));
        for (int rack = 1; rack < racks; rack++) {
            members.put("m" + rack, new PartitionAssignor.Member(all, Partitions.none(), null, "r" + rack));
        }

        SortedMap<String, Partitions<UUID>> target =
                PartitionAssignors.standard().assign(members, topics);

        target.forEach((id, mine) -> mine.forEach(
                (same, partition) -> assertThat(replicas.get(partition)).containsExactly("r" + id.charAt(1))));
    }

    @Property(tries = 100)
    void range_whenStaticMembersComeBackUnderOtherIds_movesNothing(@ForAll long seed) {
        Random random = new Random(seed);
        SortedMap<UUID, PartitionAssignor.Topic> topics = topics(random);
        PartitionAssignor.Subscription all = new PartitionAssignor.Subscription(new TreeSet<>(topics.keySet()));
        PartitionAssignor range = PartitionAssignors.find("range").orElseThrow();
        TreeMap<String, String> memberByInstance = new TreeMap<>();
        for (int restart = 0; restart < 2; restart++) {
            TreeMap<String, PartitionAssignor.Member> members = new TreeMap<>();
            TreeMap<String, String> ids = new TreeMap<>();
            for (String instance : List.of("i1", "i2", "i3")) {
                ids.put(instance, "m" + random.nextInt() + instance);
                members.put(ids.get(instance), new PartitionAssignor.Member(all, Partitions.none(), instance, null));
            }
            SortedMap<String, Partitions<UUID>> target = range.assign(members, topics);
            ids.forEach((instance, id) -> {
                String mine = target.get(id).toString();
                assertThat(memberByInstance.getOrDefault(instance, mine)).isEqualTo(mine);
                memberByInstance.put(instance, mine);
            });
        }
    }

    private static void check(
            SortedMap<String, PartitionAssignor.Member> members,
            SortedMap<UUID, PartitionAssignor.Topic> topics,
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
        int expected = topics.entrySet().stream()
                .filter(topic -> subscribed.contains(topic.getKey()))
                .mapToInt(topic -> topic.getValue().partitions())
                .sum();
        assertThat(given).hasSize(expected);
        assertThat(places[0]).isEqualTo(expected);
    }

    private static SortedMap<UUID, PartitionAssignor.Topic> topics(Random random) {
        TreeMap<UUID, PartitionAssignor.Topic> topics = new TreeMap<>();
        for (int topic = 1 + random.nextInt(4); topic > 0; topic--) {
            topics.put(new UUID(topic, topic), new PartitionAssignor.Topic(1 + random.nextInt(12)));
        }
        return topics;
    }

    /** Members that had random partitions, no partition twice. */
    private static SortedMap<String, PartitionAssignor.Member> members(
            Random random, SortedMap<UUID, PartitionAssignor.Topic> topics, boolean equal) {
        int size = 1 + random.nextInt(6);
        TreeMap<String, TreeMap<UUID, TreeSet<Integer>>> had = new TreeMap<>();
        topics.forEach((topic, info) -> {
            for (int partition = 0; partition < info.partitions(); partition++) {
                had.computeIfAbsent("m" + random.nextInt(2 * size), id -> new TreeMap<>())
                        .computeIfAbsent(topic, id -> new TreeSet<>())
                        .add(partition);
            }
        });
        TreeMap<String, PartitionAssignor.Member> members = new TreeMap<>();
        for (int i = 0; i < size; i++) {
            TreeSet<UUID> subscribed = new TreeSet<>(topics.keySet());
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
