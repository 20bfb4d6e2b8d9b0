package io.muster.core.consumer;

import io.muster.core.ConsumerRecord.MemberSet;
import io.muster.core.Group;
import io.muster.core.GroupDescription;
import io.muster.core.TopicCatalogue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** Describes consumer groups. */
final class ConsumerDescriptions {
    private ConsumerDescriptions() {}

    static GroupDescription describe(Group group, TopicCatalogue topics) {
        ConsumerGroup consumers = Consumers.group(group);
        return new GroupDescription.Consumer(
                group.id(),
                consumers.state(),
                consumers.groupEpoch(),
                consumers.assignmentEpoch(),
                TargetAssignments.assignorOf(consumers).name(),
                consumers.members().all().stream()
                        .map(ConsumerDescriptions::describe)
                        .toList(),
                topicNames(group, topics));
    }

    /** Also of topics that nobody subscribes to any more: members may be on their way of giving them up. */
    private static SortedMap<UUID, String> topicNames(Group group, TopicCatalogue topics) {
        TreeMap<UUID, String> names = new TreeMap<>(topics.names());
        group.topicBasis().values().forEach(topic -> names.put(topic.id(), topic.name()));
        return names;
    }

    private static GroupDescription.ConsumerMember describe(ConsumerMember member) {
        MemberSet profile = member.profile();
        return new GroupDescription.ConsumerMember(
                profile.memberId(),
                profile.instanceId(),
                profile.rackId(),
                member.epoch(),
                profile.client(),
                profile.subscribedTopicNames(),
                profile.subscribedTopicRegex(),
                member.held(),
                member.target());
    }
}
