package io.muster.core.consumer;

import io.muster.core.ConsumerRecord.MemberSet;
import io.muster.core.Group;
import io.muster.core.GroupDescription;
import java.util.TreeMap;
import java.util.UUID;

/** Describes consumer groups. */
final class ConsumerDescriptions {
    private ConsumerDescriptions() {}

    static GroupDescription describe(Group group) {
        ConsumerGroup consumers = Consumers.group(group);
        TreeMap<UUID, String> names = new TreeMap<>();
        group.topicBasis().values().forEach(topic -> names.put(topic.id(), topic.name()));
        return new GroupDescription.Consumer(
                group.id(),
                consumers.state(),
                consumers.groupEpoch(),
                consumers.assignmentEpoch(),
                TargetAssignments.assignorOf(consumers).name(),
                consumers.members().all().stream()
                        .map(ConsumerDescriptions::describe)
                        .toList(),
                names);
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
