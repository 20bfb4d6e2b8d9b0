package io.muster.core.consumer;

import io.muster.core.ConsumerRecord.GroupSet;
import io.muster.core.ConsumerRecord.MemberSet;
import io.muster.core.ConsumerRecord.TargetSet;
import io.muster.core.Group;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.Partitions;
import io.muster.core.TopicInfo;
import io.muster.core.assignor.PartitionAssignor;
import io.muster.core.assignor.PartitionAssignors;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Computes the target of a group epoch once it is due. */
final class TargetAssignments {
    private TargetAssignments() {}

    /** Computes and records the target of the group's epoch, if there is none yet and the assignment interval is over. */
    static void computeIfDue(GroupDraft draft) {
        ConsumerGroup group = Consumers.group(draft);
        if (group.assignmentEpoch() < group.groupEpoch() && intervalIsOver(draft, group)) {
            compute(draft, group);
        }
    }

    private static boolean intervalIsOver(GroupDraft draft, ConsumerGroup group) {
        long since = group.status().assignedAtMillis();
        return since + Consumers.config(draft, GroupConfigs.CONSUMER_ASSIGNMENT_INTERVAL)
                <= draft.context().nowMillis();
    }

    private static void compute(GroupDraft draft, ConsumerGroup group) {
        TreeMap<UUID, PartitionAssignor.Topic> topics = new TreeMap<>();
        draft.group()
                .topicBasis()
                .values()
                .forEach(topic -> topics.put(topic.id(), new PartitionAssignor.Topic(topic.partitions())));
        SortedMap<String, Partitions<UUID>> target = assignorOf(group).assign(assignable(draft.group(), group), topics);
        for (ConsumerMember member : group.members().all()) {
            Partitions<UUID> partitions = target.getOrDefault(member.id(), Partitions.none());
            if (!partitions.equals(member.target())) {
                draft.emit(new TargetSet(member.id(), partitions));
            }
        }
        int epoch = group.groupEpoch();
        draft.emit(new GroupSet(epoch, epoch, draft.context().nowMillis()));
    }

    private static SortedMap<String, PartitionAssignor.Member> assignable(Group group, ConsumerGroup consumers) {
        Map<SortedSet<UUID>, PartitionAssignor.Subscription> subscriptions = new HashMap<>();
        TreeMap<String, PartitionAssignor.Member> members = new TreeMap<>();
        for (ConsumerMember member : consumers.members().all()) {
            SortedSet<UUID> topics = subscribedTopics(group, member.profile());
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

    /** The ids of the topics that the member subscribes to and that exist. */
    static SortedSet<UUID> subscribedTopics(Group group, MemberSet profile) {
        return Consumers.group(group).members().subscribedTopics(profile).stream()
                .map(group.topicBasis()::get)
                .filter(Objects::nonNull)
                .map(TopicInfo::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The assignor that most members ask for; the first one if none does, and of equals the first by name. */
    static PartitionAssignor assignorOf(ConsumerGroup group) {
        Map<String, Long> votes = group.members().profiles().values().stream()
                .map(profile -> profile.serverAssignor())
                .filter(Objects::nonNull)
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        return votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .flatMap(winner -> PartitionAssignors.find(winner.getKey()))
                .orElse(PartitionAssignors.standard());
    }
}
