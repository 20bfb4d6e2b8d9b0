package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.Group;
import io.muster.core.Partitions;
import io.muster.core.TargetComputation;
import io.muster.core.TargetComputation.ComputedTarget;
import io.muster.core.TopicInfo;
import io.muster.core.assignor.PartitionAssignor;
import io.muster.core.group.LargeTargets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What each member of a group shall have.
 *
 * @param computedFor the group that it was computed for
 */
record ConsumerTarget(Group computedFor, SortedMap<String, Partitions<UUID>> byMember) implements ComputedTarget {
    /** Computes the target of this group. */
    record Computation(Group group) implements TargetComputation {
        @Override
        public ConsumerTarget compute() {
            ConsumerGroup consumers = ConsumerGroup.of(group);
            TreeMap<UUID, PartitionAssignor.Topic> topics = new TreeMap<>();
            group.topicBasis()
                    .values()
                    .forEach(topic ->
                            topics.put(topic.id(), new PartitionAssignor.Topic(topic.partitions(), topic.racks())));
            TreeMap<String, Partitions<UUID>> target = new TreeMap<>();
            consumers.members().all().forEach(member -> target.put(member.id(), Partitions.none()));
            target.putAll(ConsumerTargetAssignments.assignorOf(consumers).assign(assignable(group, consumers), topics));
            return new ConsumerTarget(group, target);
        }

        private static SortedMap<String, PartitionAssignor.Member> assignable(Group group, ConsumerGroup consumers) {
            Map<SortedSet<UUID>, PartitionAssignor.Subscription> subscriptions = new HashMap<>();
            TreeMap<String, PartitionAssignor.Member> members = new TreeMap<>();
            for (ConsumerMember member : consumers.members().all()) {
                SortedSet<UUID> topics = ConsumerTargetAssignments.subscribedTopics(group, member.profile());
                PartitionAssignor.Subscription subscription =
                        subscriptions.computeIfAbsent(topics, PartitionAssignor.Subscription::new);
                MemberSet profile = member.profile();
                members.put(
                        member.id(),
                        new PartitionAssignor.Member(
                                subscription, member.target(), profile.instanceId(), profile.rackId()));
            }
            return members;
        }

        /** Number of partitions that there are to be shared out. */
        long partitions() {
            return group.topicBasis().values().stream()
                    .mapToLong(TopicInfo::partitions)
                    .sum();
        }
    }

    @Override
    public int groupEpoch() {
        return computedFor.typed().groupEpoch();
    }

    /** The target for the group as it has become; empty if a member is gone. */
    Optional<SortedMap<String, Partitions<UUID>>> fittedTo(ConsumerGroup now) {
        return LargeTargets.fitted(byMember, computedFor.typed(), now);
    }
}
