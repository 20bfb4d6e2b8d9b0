package io.muster.core.consumer;

import io.muster.core.Arrival;
import io.muster.core.ClaimRules;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.DecisionContext;
import io.muster.core.Group;
import io.muster.core.GroupCommand;
import io.muster.core.GroupDescription;
import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.GroupLogic;
import io.muster.core.GroupRecord;
import io.muster.core.GroupType;
import io.muster.core.InternalCommand;
import io.muster.core.TypedGroup;
import io.muster.core.group.CommitJudgement;
import io.muster.core.group.MemberTimers;
import io.muster.core.group.OpenHeartbeats;
import java.util.Optional;
import java.util.SortedMap;

/** Decides for consumer groups (KIP-848). */
public final class ConsumerGroupLogic implements GroupLogic {
    private final ConsumerMembership membership;
    private final ConsumerHeartbeatAnswers answers;

    public ConsumerGroupLogic(ClaimRules claims) {
        this.membership = new ConsumerMembership(claims);
        this.answers = new ConsumerHeartbeatAnswers(claims);
    }

    @Override
    public GroupType type() {
        return GroupType.CONSUMER;
    }

    @Override
    public void accept(GroupDraft draft, int index, Arrival arrival) {
        Command command = arrival.command();
        if (command instanceof ConsumerHeartbeat heartbeat) {
            membership.accept(draft, index, arrival, identified(heartbeat, arrival));
        } else if (command instanceof GroupCommand.RemoveMembers remove) {
            ConsumerGroupEpoch.REMOVAL.answer(draft, index, remove);
        } else if (command instanceof GroupCommand.ShortenSession shorten) {
            MemberTimers.answer(draft, index, shorten);
        } else if (command instanceof GroupCommand.UpdateTopologyDescription) {
            draft.refuse(
                    index,
                    GroupError.GROUP_ID_NOT_FOUND,
                    "Group " + draft.group().id() + " is not a streams group.");
        } else if (command instanceof InternalCommand.PatternsResolved found) {
            Patterns.resolved(draft, index, arrival.mayWait(), found);
        } else if (command instanceof InternalCommand.TargetComputed computed) {
            ConsumerTargetAssignments.take(draft, computed);
        } else if (command instanceof InternalCommand.Loaded) {
            MemberTimers.armAll(draft);
        }
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
    public void conclude(GroupDraft draft, SortedMap<Integer, Arrival> accepted) {
        if (!OpenHeartbeats.findGroup(draft, accepted, type())) {
            return;
        }
        ConsumerGroupEpoch.REMOVAL.expire(draft, accepted);
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
    public void removeAll(GroupDraft draft, String detail) {
        ConsumerGroupEpoch.REMOVAL.removeAll(draft, detail);
    }

    @Override
    public TypedGroup evolve(TypedGroup group, GroupRecord record) {
        return ConsumerGroupEvolver.evolve(group, record);
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
    public Optional<GroupError> judgeFetch(Group group, CommitCommand.AdmitFetch fetch) {
        return CommitJudgement.judge(group.typed(), fetch);
    }

    @Override
    public boolean consumes(Group group, String topic) {
        return ConsumerGroup.of(group).members().subscribedTopics().contains(topic);
    }
}
