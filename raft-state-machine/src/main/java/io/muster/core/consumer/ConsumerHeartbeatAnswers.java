package io.muster.core.consumer;

import io.muster.core.Arrival;
import io.muster.core.ClaimRules;
import io.muster.core.ConsumerGroupRecord.CurrentSet;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.Partitions;
import io.muster.core.Response.ConsumerHeartbeatAnswer;
import io.muster.core.group.GroupValidation;
import io.muster.core.group.MemberSteps;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Moves members that sent heartbeats towards their targets, and answers them. */
final class ConsumerHeartbeatAnswers {
    private final ClaimRules claims;
    private final ConsumerHandOvers handOvers;

    ConsumerHeartbeatAnswers(ClaimRules claims) {
        this.claims = claims;
        this.handOvers = new ConsumerHandOvers(claims);
    }

    /** Answers one heartbeat, or leaves it to wait for a partition that is about to be free. */
    void answer(GroupDraft draft, int index, Arrival arrival, ConsumerHeartbeat heartbeat) {
        Optional<ConsumerMember> found = ConsumerGroup.of(draft).members().find(heartbeat.memberId());
        if (found.isEmpty()) {
            draft.reply(index, GroupValidation.unknownMember(draft, heartbeat.memberId()));
            return;
        }
        ConsumerMember before = found.get();
        PartitionReconciliation.Step step = step(draft, before, heartbeat);
        boolean waits = step.withheld() && arrival.mayWait() && isUntouched(draft, before, heartbeat);
        if (MemberSteps.take(draft, index, before, step.current(), waits)) {
            draft.reply(index, answer(draft, heartbeat, before, step.current()));
        }
    }

    private PartitionReconciliation.Step step(GroupDraft draft, ConsumerMember found, ConsumerHeartbeat heartbeat) {
        ConsumerGroup group = ConsumerGroup.of(draft);
        ConsumerMember member = due(draft, found);
        if (member.isReconciledTo(group.assignmentEpoch())) {
            return new PartitionReconciliation.Step(member.current(), false);
        }
        return new PartitionReconciliation(
                        member.current(),
                        member.target(),
                        group.assignmentEpoch(),
                        heartbeat.ownedPartitions(),
                        (topic, partition) -> group.members().isHeldByOthers(topic, partition, member.id()),
                        handOvers.to(draft, member.id()),
                        ConsumerTargetAssignments.subscribedTopics(draft.group(), member.profile()))
                .next();
    }

    /** The member with what it shall have as things stand. */
    private ConsumerMember due(GroupDraft draft, ConsumerMember member) {
        if (!claims.mayKeep(draft)) {
            return new ConsumerMember(member.profile(), member.current(), Partitions.none());
        }
        ConsumerGroup group = ConsumerGroup.of(draft);
        return group.assignmentEpoch() < group.groupEpoch() || group.members().awaitsPattern(member.profile())
                ? asSubscribed(draft, member)
                : member;
    }

    /** The member with that part of its target which it subscribes to still. */
    private static ConsumerMember asSubscribed(GroupDraft draft, ConsumerMember member) {
        Set<UUID> subscribed = ConsumerTargetAssignments.subscribedTopics(draft.group(), member.profile());
        Partitions<UUID> target = member.target().filter((topic, partition) -> subscribed.contains(topic));
        return new ConsumerMember(member.profile(), member.current(), target);
    }

    /** Whether nothing was recorded on behalf of this heartbeat. */
    private static boolean isUntouched(GroupDraft draft, ConsumerMember member, ConsumerHeartbeat heartbeat) {
        return !heartbeat.joins()
                && ConsumerGroup.of(draft.before())
                        .members()
                        .find(member.id())
                        .filter(old -> old.profile().equals(member.profile()))
                        .isPresent();
    }

    private static ConsumerHeartbeatAnswer answer(
            GroupDraft draft, ConsumerHeartbeat heartbeat, ConsumerMember before, CurrentSet after) {
        boolean told = heartbeat.joins()
                || heartbeat.isFull()
                || !after.assigned().equals(before.current().assigned());
        return new ConsumerHeartbeatAnswer(
                after.memberId(),
                after.memberEpoch(),
                draft.config(GroupConfigs.CONSUMER_HEARTBEAT_INTERVAL),
                told ? after.assigned() : null,
                Patterns.toResolve(draft));
    }
}
