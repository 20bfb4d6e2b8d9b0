package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.GroupSet;
import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.ConsumerGroupRecord.TargetSet;
import io.muster.core.Group;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.InternalCommand;
import io.muster.core.Partitions;
import io.muster.core.PersistentMap;
import io.muster.core.TopicInfo;
import io.muster.core.assignor.PartitionAssignor;
import io.muster.core.assignor.PartitionAssignors;
import io.muster.core.group.LargeTargets;
import java.util.Comparator;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/** Computes the target of a group epoch once it is due. */
final class ConsumerTargetAssignments {
    private ConsumerTargetAssignments() {}

    /**
     * Computes and records the target of the group's epoch, if there is none yet and the assignment interval is over; has it
     * computed aside if it is large.
     */
    static void computeIfDue(GroupDraft draft) {
        ConsumerGroup group = ConsumerGroup.of(draft);
        if (group.assignmentEpoch() < group.groupEpoch() && intervalIsOver(draft, group)) {
            ConsumerTarget.Computation computation = new ConsumerTarget.Computation(draft.group());
            int members = group.members().size();
            if (!LargeTargets.areComputedAside(draft, members, computation.partitions(), computation)) {
                adopt(draft, computation.compute());
            }
        }
    }

    private static boolean intervalIsOver(GroupDraft draft, ConsumerGroup group) {
        return draft.context()
                .hasPassedSince(
                        group.status().assignedAtMillis(), draft.config(GroupConfigs.CONSUMER_ASSIGNMENT_INTERVAL));
    }

    /** Takes in a target that was computed aside; if it does not fit the group any more, the next heartbeat asks anew. */
    static void take(GroupDraft draft, InternalCommand.TargetComputed command) {
        if (LargeTargets.take(draft, command).orElse(null) instanceof ConsumerTarget target) {
            adopt(draft, target);
        }
    }

    /** Members that joined since the target was computed keep what they have. */
    private static void adopt(GroupDraft draft, ConsumerTarget target) {
        ConsumerGroup group = ConsumerGroup.of(draft);
        target.fittedTo(group).ifPresent(fitted -> {
            for (ConsumerMember member : group.members().all()) {
                Partitions<UUID> partitions = fitted.getOrDefault(member.id(), member.target());
                if (!partitions.equals(member.target())) {
                    draft.emit(new TargetSet(member.id(), partitions));
                }
            }
            draft.emit(new GroupSet(
                    group.groupEpoch(), target.groupEpoch(), draft.context().wallMillis()));
        });
    }

    /** The ids of the topics that the member subscribes to and that exist. */
    static SortedSet<UUID> subscribedTopics(Group group, MemberSet profile) {
        return ConsumerGroup.of(group).members().subscribedTopics(profile).stream()
                .map(group.topicBasis()::get)
                .filter(Objects::nonNull)
                .map(TopicInfo::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The assignor that most members ask for; the standard one if none does, and of equals the last by name, as in Kafka. */
    static PartitionAssignor assignorOf(ConsumerGroup group) {
        PersistentMap<String, Integer> votes = group.members().votes().byKey();
        return votes.keys().stream()
                .max(Comparator.comparing((String name) -> votes.find(name).orElse(0))
                        .thenComparing(Comparator.naturalOrder()))
                .flatMap(PartitionAssignors::find)
                .orElse(PartitionAssignors.standard());
    }
}
