package io.muster.core.assignor;

import io.muster.core.PartitionNumbers;
import io.muster.core.Partitions;
import io.muster.core.assignor.PartitionAssignor.Member;
import io.muster.core.assignor.PartitionAssignor.Subscription;
import io.muster.core.assignor.PartitionAssignor.Topic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All partitions that anybody subscribes to, numbered from 0 in the order of topic id and partition, and who has them so far. */
final class PartitionTable {
    private static final int NOBODY = -1;

    final List<Reader> readers = new ArrayList<>();
    private final List<UUID> topicIds = new ArrayList<>();
    private final List<Topic> topics = new ArrayList<>();
    private final Map<UUID, Integer> topicById = new HashMap<>();
    private final int[] firstByTopic;
    private final int[] topicOf;
    private final int[] owner;
    private final boolean equalSubscriptions;
    private final boolean knowsRacks;

    PartitionTable(SortedMap<String, Member> members, SortedMap<UUID, Topic> existing) {
        members.forEach((id, member) -> readers.add(new Reader(readers.size(), id, member)));
        Set<Subscription> subscriptions = subscriptions();
        equalSubscriptions = subscriptions.size() <= 1;
        TreeSet<UUID> subscribed = new TreeSet<>();
        subscriptions.forEach(subscription -> subscribed.addAll(subscription.topics()));
        existing.forEach((id, topic) -> {
            if (subscribed.contains(id)) {
                topicById.put(id, topicIds.size());
                topicIds.add(id);
                topics.add(topic);
            }
        });
        firstByTopic = new int[topics.size() + 1];
        for (int topic = 0; topic < topics.size(); topic++) {
            firstByTopic[topic + 1] = firstByTopic[topic] + topics.get(topic).partitions();
        }
        knowsRacks = topics.stream().anyMatch(topic -> topic.racks().isKnown())
                && readers.stream().anyMatch(reader -> reader.member.rackId() != null);
        int size = firstByTopic[topics.size()];
        topicOf = new int[size];
        for (int topic = 0; topic < topics.size(); topic++) {
            Arrays.fill(topicOf, firstByTopic[topic], firstByTopic[topic + 1], topic);
        }
        owner = new int[size];
        Arrays.fill(owner, NOBODY);
    }

    /** The different subscriptions; most are shared, so they are told apart by identity first. */
    private Set<Subscription> subscriptions() {
        Set<Subscription> shared = Collections.newSetFromMap(new IdentityHashMap<>());
        readers.forEach(reader -> shared.add(reader.member.subscription()));
        return new HashSet<>(shared);
    }

    /** Whether all members subscribe to the same topics. */
    boolean hasEqualSubscriptions() {
        return equalSubscriptions;
    }

    int size() {
        return owner.length;
    }

    int topicCount() {
        return topicIds.size();
    }

    UUID topicId(int topic) {
        return topicIds.get(topic);
    }

    int topicOf(int partition) {
        return topicOf[partition];
    }

    /** The topics that exist of those that a subscription names. */
    List<Integer> topicsOf(Subscription subscription) {
        return subscription.topics().stream()
                .map(topicById::get)
                .filter(Objects::nonNull)
                .toList();
    }

    int firstOf(int topic) {
        return firstByTopic[topic];
    }

    /** The partition's number within its topic. */
    int numberOf(int partition) {
        return partition - firstByTopic[topicOf[partition]];
    }

    /** The racks in which the partition has replicas, as far as is known. */
    Set<String> racksOf(int partition) {
        return topics.get(topicOf[partition]).racksOf(numberOf(partition));
    }

    /** Whether it is known of any partition where it has replicas, and of any member where it is. */
    boolean knowsRacks() {
        return knowsRacks;
    }

    /** Whether the partition has a replica in the member's rack. */
    boolean isNear(Reader reader, int partition) {
        String rack = reader.member.rackId();
        return rack != null && racksOf(partition).contains(rack);
    }

    boolean isOpen(int partition) {
        return owner[partition] == NOBODY;
    }

    @Nullable
    Reader ownerOf(int partition) {
        return owner[partition] == NOBODY ? null : readers.get(owner[partition]);
    }

    boolean isAnyOpen() {
        return readers.stream().mapToInt(reader -> reader.load).sum() < owner.length;
    }

    /** The partitions that nobody has. */
    List<Integer> open() {
        List<Integer> open = new ArrayList<>();
        for (int partition = 0; partition < owner.length; partition++) {
            if (owner[partition] == NOBODY) {
                open.add(partition);
            }
        }
        return open;
    }

    void give(Reader reader, int partition) {
        if (owner[partition] != NOBODY) {
            Reader loser = readers.get(owner[partition]);
            loser.load--;
            loser.changed = true;
        }
        owner[partition] = reader.index;
        reader.load++;
        reader.changed = true;
    }

    /** What may be kept of what a member had, unless another one has it. */
    interface Keeper {
        boolean mayKeep(Reader reader, int partition);
    }

    /** Leaves members what they had, as far as they subscribe to it still and the keeper agrees. */
    void keep(Keeper keeper) {
        for (Reader reader : readers) {
            int[] had = {0};
            SortedSet<UUID> subscribed = reader.member.subscribed();
            reader.member.before().byKey().forEach((id, numbers) -> {
                had[0] += numbers.size();
                Integer topic = topicById.get(id);
                if (topic != null && (equalSubscriptions || subscribed.contains(id))) {
                    keep(reader, topic, PartitionNumbers.copyOf(numbers), keeper);
                }
            });
            reader.changed = reader.load != had[0];
        }
    }

    private void keep(Reader reader, int topic, PartitionNumbers numbers, Keeper keeper) {
        int count = topics.get(topic).partitions();
        for (int place = 0; place < numbers.size() && numbers.at(place) < count; place++) {
            int partition = firstByTopic[topic] + numbers.at(place);
            if (owner[partition] == NOBODY && keeper.mayKeep(reader, partition)) {
                owner[partition] = reader.index;
                reader.load++;
            }
        }
    }

    /** The target of every member; of those for whom nothing changed, the very value of before. */
    SortedMap<String, Partitions<UUID>> targets() {
        for (int partition = 0; partition < owner.length; partition++) {
            if (owner[partition] != NOBODY && readers.get(owner[partition]).changed) {
                readers.get(owner[partition]).add(partition);
            }
        }
        TreeMap<String, Partitions<UUID>> targets = new TreeMap<>();
        for (Reader reader : readers) {
            targets.put(reader.memberId, reader.changed ? reader.target(this) : reader.member.before());
        }
        return targets;
    }
}
