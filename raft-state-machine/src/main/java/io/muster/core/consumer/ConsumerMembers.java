package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.CurrentSet;
import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.Partitions;
import io.muster.core.PersistentMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/**
 * What is recorded under the ids of a group's members, each kind apart, so that a group can be rebuilt from its records in any
 * order; and what follows from it.
 *
 * @param profiles what each member told about itself: a member is who has a profile
 * @param subscribers how many members subscribe to each topic name
 * @param patternUsers how many members subscribe by each pattern
 * @param patterns the topics of each pattern that is resolved
 * @param statics the member that each instance id belongs to
 * @param holders who has each partition, or has not given it up yet
 */
record ConsumerMembers(
        PersistentMap<String, MemberSet> profiles,
        PersistentMap<String, CurrentSet> currents,
        PersistentMap<String, Partitions<UUID>> targets,
        PersistentMap<String, Integer> subscribers,
        PersistentMap<String, Integer> patternUsers,
        PersistentMap<String, SortedSet<String>> patterns,
        PersistentMap<String, String> statics,
        PersistentMap<HeldPartition, String> holders) {
    /** A partition as a key. */
    record HeldPartition(UUID topicId, int partition) implements Comparable<HeldPartition> {
        @Override
        public int compareTo(HeldPartition other) {
            int topics = topicId.compareTo(other.topicId);
            return topics == 0 ? Integer.compare(partition, other.partition) : topics;
        }
    }

    static final ConsumerMembers NONE = new ConsumerMembers(
            PersistentMap.empty(),
            PersistentMap.empty(),
            PersistentMap.empty(),
            PersistentMap.empty(),
            PersistentMap.empty(),
            PersistentMap.empty(),
            PersistentMap.empty(),
            PersistentMap.empty());

    Optional<ConsumerMember> find(String memberId) {
        return profiles.find(memberId).map(this::member);
    }

    /** All members, ordered by id. */
    List<ConsumerMember> all() {
        return profiles.values().stream().map(this::member).toList();
    }

    /** The member that has this instance id now. */
    Optional<ConsumerMember> findStatic(String instanceId) {
        return statics.find(instanceId).flatMap(this::find);
    }

    /** The names that any member subscribes to, by themselves or by a pattern. */
    SortedSet<String> subscribedTopics() {
        TreeSet<String> topics = new TreeSet<>(subscribers.keys());
        patterns.values().forEach(topics::addAll);
        return topics;
    }

    /** The names that a member with this profile subscribes to, by themselves or by its pattern. */
    SortedSet<String> subscribedTopics(MemberSet profile) {
        TreeSet<String> topics = new TreeSet<>(profile.subscribedTopicNames());
        patterns.find(profile.subscribedTopicRegex()).ifPresent(topics::addAll);
        return topics;
    }

    /** Whether it is not known yet which topics the member's pattern matches: until it is, it matches none, as in Kafka. */
    boolean awaitsPattern(MemberSet profile) {
        return !patternOf(profile).isEmpty()
                && patterns.find(profile.subscribedTopicRegex()).isEmpty();
    }

    /** Whether a member other than this one has the partition, or has not given it up yet. */
    boolean isHeldByOthers(UUID topicId, int partition, String memberId) {
        return holders.find(new HeldPartition(topicId, partition))
                .filter(holder -> !holder.equals(memberId))
                .isPresent();
    }

    ConsumerMembers with(MemberSet set) {
        ConsumerMembers others = withoutProfile(set.memberId());
        return new ConsumerMembers(
                profiles.with(set.memberId(), set),
                currents,
                targets,
                counted(others.subscribers, set.subscribedTopicNames(), 1),
                counted(others.patternUsers, patternOf(set), 1),
                patterns,
                set.instanceId() == null ? others.statics : others.statics.with(set.instanceId(), set.memberId()),
                holders);
    }

    ConsumerMembers with(CurrentSet set) {
        PersistentMap<HeldPartition, String> held = withoutCurrent(set.memberId()).holders;
        for (HeldPartition partition : heldBy(set)) {
            held = held.with(partition, set.memberId());
        }
        return new ConsumerMembers(
                profiles,
                currents.with(set.memberId(), set),
                targets,
                subscribers,
                patternUsers,
                patterns,
                statics,
                held);
    }

    ConsumerMembers withTarget(String memberId, Partitions<UUID> partitions) {
        return new ConsumerMembers(
                profiles,
                currents,
                targets.with(memberId, partitions),
                subscribers,
                patternUsers,
                patterns,
                statics,
                holders);
    }

    ConsumerMembers withPattern(String pattern, SortedSet<String> topics) {
        return withPatterns(patterns.with(pattern, topics));
    }

    ConsumerMembers withoutPattern(String pattern) {
        return withPatterns(patterns.without(pattern));
    }

    private ConsumerMembers withPatterns(PersistentMap<String, SortedSet<String>> next) {
        return new ConsumerMembers(profiles, currents, targets, subscribers, patternUsers, next, statics, holders);
    }

    ConsumerMembers without(String memberId) {
        ConsumerMembers left = withoutProfile(memberId).withoutCurrent(memberId);
        return new ConsumerMembers(
                left.profiles,
                left.currents,
                targets.without(memberId),
                left.subscribers,
                left.patternUsers,
                patterns,
                left.statics,
                left.holders);
    }

    private ConsumerMember member(MemberSet profile) {
        String id = profile.memberId();
        return new ConsumerMember(
                profile,
                currents.find(id).orElseGet(() -> CurrentSet.atJoin(id)),
                targets.find(id).orElseGet(Partitions::none));
    }

    private ConsumerMembers withoutProfile(String memberId) {
        Optional<MemberSet> profile = profiles.find(memberId);
        if (profile.isEmpty()) {
            return this;
        }
        String instanceId = profile.get().instanceId();
        boolean isStatic = instanceId != null
                && statics.find(instanceId).filter(memberId::equals).isPresent();
        return new ConsumerMembers(
                profiles.without(memberId),
                currents,
                targets,
                counted(subscribers, profile.get().subscribedTopicNames(), -1),
                counted(patternUsers, patternOf(profile.get()), -1),
                patterns,
                isStatic && instanceId != null ? statics.without(instanceId) : statics,
                holders);
    }

    private ConsumerMembers withoutCurrent(String memberId) {
        Optional<CurrentSet> current = currents.find(memberId);
        if (current.isEmpty()) {
            return this;
        }
        PersistentMap<HeldPartition, String> held = holders;
        for (HeldPartition partition : heldBy(current.get())) {
            if (held.find(partition).filter(memberId::equals).isPresent()) {
                held = held.without(partition);
            }
        }
        return new ConsumerMembers(
                profiles, currents.without(memberId), targets, subscribers, patternUsers, patterns, statics, held);
    }

    private static List<HeldPartition> heldBy(CurrentSet current) {
        List<HeldPartition> held = new ArrayList<>();
        current.assigned().forEach((topic, partition) -> held.add(new HeldPartition(topic, partition)));
        current.pendingRevocation().forEach((topic, partition) -> held.add(new HeldPartition(topic, partition)));
        return held;
    }

    private static List<String> patternOf(MemberSet profile) {
        String pattern = profile.subscribedTopicRegex();
        return pattern.isEmpty() ? List.of() : List.of(pattern);
    }

    private static PersistentMap<String, Integer> counted(
            PersistentMap<String, Integer> counts, List<String> keys, int change) {
        PersistentMap<String, Integer> next = counts;
        for (String key : keys) {
            int count = next.find(key).orElse(0) + change;
            next = count == 0 ? next.without(key) : next.with(key, count);
        }
        return next;
    }
}
