package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.Group;
import io.muster.core.GroupDescription;
import io.muster.core.TopicCatalogue;
import io.muster.core.TopicInfo;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** Describes consumer groups. */
final class ConsumerDescriptions {
    private ConsumerDescriptions() {}

    static GroupDescription describe(Group group, TopicCatalogue topics) {
        ConsumerGroup consumers = ConsumerGroup.of(group);
        SortedMap<UUID, String> names = topicNames(group, topics);
        return new GroupDescription.Consumer(
                group.id(),
                consumers.state(),
                consumers.groupEpoch(),
                consumers.assignmentEpoch(),
                ConsumerTargetAssignments.assignorOf(consumers).name(),
                consumers.members().all().stream()
                        .map(member -> describe(member, names))
                        .toList(),
                names);
    }

    /**
     * Also of topics that nobody subscribes to any more: members may be on their way of giving them up. Not of those that are
     * gone: as in Kafka, what members have of them is left out at once.
     */
    private static SortedMap<UUID, String> topicNames(Group group, TopicCatalogue topics) {
        TreeMap<UUID, String> names = new TreeMap<>(topics.names());
        group.topicBasis().values().stream()
                .filter(topic -> !isGone(topic, topics))
                .forEach(topic -> names.put(topic.id(), topic.name()));
        return names;
    }

    private static boolean isGone(TopicInfo topic, TopicCatalogue topics) {
        return topics.knows(topic.name())
                && topics.find(topic.name())
                        .filter(known -> known.id().equals(topic.id()))
                        .isEmpty();
    }

    private static GroupDescription.ConsumerMember describe(ConsumerMember member, SortedMap<UUID, String> names) {
        MemberSet profile = member.profile();
        return new GroupDescription.ConsumerMember(
                new GroupDescription.MemberIdentity(
                        profile.memberId(), profile.instanceId(), profile.rackId(), member.epoch(), profile.client()),
                profile.subscribedTopicNames(),
                profile.subscribedTopicRegex(),
                member.held().filter((topic, partition) -> names.containsKey(topic)),
                member.target().filter((topic, partition) -> names.containsKey(topic)));
    }
}
