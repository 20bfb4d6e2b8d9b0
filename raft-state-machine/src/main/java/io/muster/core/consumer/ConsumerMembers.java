package io.muster.core.consumer;

import io.muster.core.ConsumerRecord.CurrentSet;
import io.muster.core.ConsumerRecord.MemberSet;
import io.muster.core.Partitions;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * What is recorded under the ids of a group's members, each kind apart, so that a group can be rebuilt from its records in any
 * order.
 *
 * @param profiles what each member told about itself: a member is who has a profile
 * @param subscribers how many members subscribe to each topic name
 */
record ConsumerMembers(
        SortedMap<String, MemberSet> profiles,
        SortedMap<String, CurrentSet> currents,
        SortedMap<String, Partitions<UUID>> targets,
        SortedMap<String, Integer> subscribers) {
    static final ConsumerMembers NONE =
            new ConsumerMembers(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    ConsumerMembers {
        profiles = Collections.unmodifiableSortedMap(profiles);
        currents = Collections.unmodifiableSortedMap(currents);
        targets = Collections.unmodifiableSortedMap(targets);
        subscribers = Collections.unmodifiableSortedMap(subscribers);
    }

    Optional<ConsumerMember> find(String memberId) {
        MemberSet profile = profiles.get(memberId);
        if (profile == null) {
            return Optional.empty();
        }
        CurrentSet current = currents.get(memberId);
        return Optional.of(new ConsumerMember(
                profile,
                current == null ? new CurrentSet(memberId, 0, 0, Partitions.none(), Partitions.none()) : current,
                targets.getOrDefault(memberId, Partitions.none())));
    }

    /** All members, ordered by id. */
    List<ConsumerMember> all() {
        return profiles.keySet().stream().map(id -> find(id).orElseThrow()).toList();
    }

    /** The member that has this instance id now. */
    Optional<ConsumerMember> findStatic(String instanceId) {
        return profiles.values().stream()
                .filter(profile -> instanceId.equals(profile.instanceId()))
                .findFirst()
                .flatMap(profile -> find(profile.memberId()));
    }

    /** The names that any member subscribes to. */
    SortedSet<String> subscribedTopics() {
        return new TreeSet<>(subscribers.keySet());
    }

    ConsumerMembers with(MemberSet set) {
        TreeMap<String, Integer> counts = new TreeMap<>(subscribers);
        count(counts, profiles.get(set.memberId()), -1);
        count(counts, set, 1);
        return new ConsumerMembers(put(profiles, set.memberId(), set), currents, targets, counts);
    }

    ConsumerMembers with(CurrentSet set) {
        return new ConsumerMembers(profiles, put(currents, set.memberId(), set), targets, subscribers);
    }

    ConsumerMembers withTarget(String memberId, Partitions<UUID> partitions) {
        return new ConsumerMembers(profiles, currents, put(targets, memberId, partitions), subscribers);
    }

    ConsumerMembers without(String memberId) {
        TreeMap<String, Integer> counts = new TreeMap<>(subscribers);
        count(counts, profiles.get(memberId), -1);
        return new ConsumerMembers(
                remove(profiles, memberId), remove(currents, memberId), remove(targets, memberId), counts);
    }

    private static void count(
            TreeMap<String, Integer> counts, @org.jspecify.annotations.Nullable MemberSet profile, int change) {
        if (profile != null) {
            profile.subscribedTopicNames()
                    .forEach(topic ->
                            counts.merge(topic, change, (before, more) -> before + more == 0 ? null : before + more));
        }
    }

    private static <V> SortedMap<String, V> put(SortedMap<String, V> map, String key, V value) {
        TreeMap<String, V> next = new TreeMap<>(map);
        next.put(key, value);
        return next;
    }

    private static <V> SortedMap<String, V> remove(SortedMap<String, V> map, String key) {
        TreeMap<String, V> next = new TreeMap<>(map);
        next.remove(key);
        return next;
    }
}
