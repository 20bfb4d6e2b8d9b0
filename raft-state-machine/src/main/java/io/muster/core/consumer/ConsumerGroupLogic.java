package io.muster.core.consumer;

import io.muster.core.Arrival;
import io.muster.core.ClaimRules;
import io.muster.core.CommitCommand;
import io.muster.core.ConsumerCommand;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.DecisionContext;
import io.muster.core.Group;
import io.muster.core.GroupDescription;
import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.GroupType;
import io.muster.core.InternalCommand.TargetComputed;
import io.muster.core.TypedGroup;
import io.muster.core.group.MemberGroupLogic;
import io.muster.core.group.OpenHeartbeats;
import java.util.Optional;
import java.util.SortedMap;

/** Decides for consumer groups (KIP-848). */
public final class ConsumerGroupLogic extends MemberGroupLogic<ConsumerCommand, ConsumerGroupRecord> {
    private final ConsumerMembership membership;
    private final ConsumerHeartbeatAnswers answers;

    public ConsumerGroupLogic(ClaimRules claims) {
        super(GroupType.CONSUMER, ConsumerGroupEpoch.REMOVAL);
        this.membership = new ConsumerMembership(claims);
        this.answers = new ConsumerHeartbeatAnswers(claims);
    }

    @Override
    public void accept(GroupDraft draft, int index, Arrival arrival, ConsumerCommand command) {
        command.accept(new ConsumerCommand.Handler<GroupDraft>() {
            @Override
            public GroupDraft on(ConsumerHeartbeat heartbeat) {
                membership.accept(draft, index, arrival, identified(heartbeat, arrival));
                return draft;
            }

            @Override
            public GroupDraft on(ConsumerCommand.PatternsResolved found) {
                Patterns.resolved(draft, index, arrival.mayWait(), found);
                return draft;
            }
        });
    }

    @Override
    public void targetComputed(GroupDraft draft, TargetComputed computed) {
        ConsumerTargetAssignments.take(draft, computed);
    }

    /** In version 0 the coordinator names new members. */
    private static ConsumerHeartbeat identified(ConsumerHeartbeat heartbeat, Arrival arrival) {
        return heartbeat.apiVersion() == 0
                        && heartbeat.joins()
                        && heartbeat.memberId().isEmpty()
                ? heartbeat.withMemberId(arrival.freshId())
                : heartbeat;
    }

    @Override
    protected void answerOpen(GroupDraft draft, SortedMap<Integer, Arrival> accepted) {
        SortedMap<Integer, Arrival> open = OpenHeartbeats.of(draft, accepted);
        if (open.isEmpty()) {
            return;
        }
        if (!ConsumerGroup.of(draft).isEmpty()) {
            ConsumerGroupEpoch.raiseIfTopicsChanged(draft);
            ConsumerTargetAssignments.computeIfDue(draft);
        }
        open.forEach((index, arrival) ->
                answers.answer(draft, index, arrival, identified((ConsumerHeartbeat) arrival.command(), arrival)));
    }

    @Override
    public TypedGroup evolve(TypedGroup group, ConsumerGroupRecord record) {
        ConsumerGroup before = group instanceof ConsumerGroup consumers ? consumers : ConsumerGroup.NEW;
        return record.accept(new ConsumerGroupEvolver(before));
    }

    @Override
    public GroupDescription describe(Group group, DecisionContext context) {
        return ConsumerDescriptions.describe(group, context.topics());
    }

    @Override
    public Optional<GroupError> judgeCommit(Group group, CommitCommand.Admit commit) {
        return ConsumerCommitJudgement.judge(group, commit);
    }

    @Override
    public boolean consumes(Group group, String topic) {
        return ConsumerGroup.of(group).members().subscribedTopics().contains(topic);
    }
}
