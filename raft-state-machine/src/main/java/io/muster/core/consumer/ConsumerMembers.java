package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.CurrentSet;
import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.GroupMembers;
import io.muster.core.Partitions;
import io.muster.core.PersistentMap;
import io.muster.core.group.Counts;
import io.muster.core.group.MemberIndex;
import io.muster.core.group.MemberIndex.Parts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The members of a consumer group, and what follows from what is recorded of them.
 *
 * @param subscribers how many members subscribe to each topic name
 * @param patternUsers how many members subscribe by each pattern
 * @param votes how many members ask for each assignor
 * @param patterns the topics of each pattern that is resolved
 * @param holders who has each partition, or has not given it up yet
 */
record ConsumerMembers(
        MemberIndex<MemberSet, CurrentSet, Partitions<UUID>> index,
        Counts<String> subscribers,
        Counts<String> patternUsers,
        Counts<String> votes,
        PersistentMap<String, SortedSet<String>> patterns,
        PersistentMap<HeldPartition, String> holders)
        implements GroupMembers<ConsumerMember> {
    /** A partition as a key. */
    record HeldPartition(UUID topicId, int partition) implements Comparable<HeldPartition> {
        @Override
        public int compareTo(HeldPartition other) {
            int topics = topicId.compareTo(other.topicId);
            return topics == 0 ? Integer.compare(partition, other.partition) : topics;
        }
    }

    static final ConsumerMembers NONE = new ConsumerMembers(
            MemberIndex.empty(),
            Counts.none(),
            Counts.none(),
            Counts.none(),
            PersistentMap.empty(),
            PersistentMap.empty());

    @Override
    public int size() {
        return index.size();
    }

    @Override
    public Optional<ConsumerMember> find(String memberId) {
        return index.find(memberId).map(ConsumerMembers::member);
    }

    @Override
    public Optional<ConsumerMember> findStatic(String instanceId) {
        return index.findStatic(instanceId).map(ConsumerMembers::member);
    }

    @Override
    public List<ConsumerMember> all() {
        return index.all().stream().map(ConsumerMembers::member).toList();
    }

    /** The names that any member subscribes to, by themselves or by a pattern. */
    SortedSet<String> subscribedTopics() {
        TreeSet<String> topics = new TreeSet<>(subscribers.byKey().keys());
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
        ConsumerMembers others = uncounted(set.memberId());
        return new ConsumerMembers(
                index.withProfile(set),
                others.subscribers.plus(set.subscribedTopicNames()),
                others.patternUsers.plus(patternOf(set)),
                others.votes.plus(assignorOf(set)),
                patterns,
                holders);
    }

    ConsumerMembers with(CurrentSet set) {
        PersistentMap<HeldPartition, String> held = holdersWithout(set.memberId());
        for (HeldPartition partition : heldBy(set)) {
            held = held.with(partition, set.memberId());
        }
        return with(index.withCurrent(set), held);
    }

    ConsumerMembers withTarget(String memberId, Partitions<UUID> partitions) {
        return with(index.withTarget(memberId, partitions), holders);
    }

    ConsumerMembers withPattern(String pattern, SortedSet<String> topics) {
        return withPatterns(patterns.with(pattern, topics));
    }

    ConsumerMembers withoutPattern(String pattern) {
        return withPatterns(patterns.without(pattern));
    }

    ConsumerMembers without(String memberId) {
        return uncounted(memberId).with(index.without(memberId), holdersWithout(memberId));
    }

    private ConsumerMembers withPatterns(PersistentMap<String, SortedSet<String>> next) {
        return new ConsumerMembers(index, subscribers, patternUsers, votes, next, holders);
    }

    private ConsumerMembers with(
            MemberIndex<MemberSet, CurrentSet, Partitions<UUID>> next, PersistentMap<HeldPartition, String> held) {
        return new ConsumerMembers(next, subscribers, patternUsers, votes, patterns, held);
    }

    private static ConsumerMember member(Parts<MemberSet, CurrentSet, Partitions<UUID>> parts) {
        MemberSet profile = Objects.requireNonNull(parts.profile());
        CurrentSet current = parts.current();
        Partitions<UUID> target = parts.target();
        return new ConsumerMember(
                profile,
                current == null ? CurrentSet.atJoin(profile.memberId()) : current,
                target == null ? Partitions.none() : target);
    }

    /** The same members, but for that nothing which this one told is counted. */
    private ConsumerMembers uncounted(String memberId) {
        return index.profile(memberId)
                .map(profile -> new ConsumerMembers(
                        index,
                        subscribers.minus(profile.subscribedTopicNames()),
                        patternUsers.minus(patternOf(profile)),
                        votes.minus(assignorOf(profile)),
                        patterns,
                        holders))
                .orElse(this);
    }

    private PersistentMap<HeldPartition, String> holdersWithout(String memberId) {
        PersistentMap<HeldPartition, String> held = holders;
        List<HeldPartition> own =
                index.current(memberId).map(ConsumerMembers::heldBy).orElse(List.of());
        for (HeldPartition partition : own) {
            if (held.find(partition).filter(memberId::equals).isPresent()) {
                held = held.without(partition);
            }
        }
        return held;
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

    private static List<String> assignorOf(MemberSet profile) {
        String assignor = profile.serverAssignor();
        return assignor == null ? List.of() : List.of(assignor);
    }
}
