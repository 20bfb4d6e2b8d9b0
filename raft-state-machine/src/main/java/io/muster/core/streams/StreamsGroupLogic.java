package io.muster.core.streams;

import io.muster.core.Arrival;
import io.muster.core.ClaimRules;
import io.muster.core.CommitCommand;
import io.muster.core.DecisionContext;
import io.muster.core.Group;
import io.muster.core.GroupCommand.RemoveMembers;
import io.muster.core.GroupDescription;
import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.GroupType;
import io.muster.core.InternalCommand.TargetComputed;
import io.muster.core.InternalCommand.TimerFired;
import io.muster.core.KnownTopics;
import io.muster.core.Response;
import io.muster.core.StreamsCommand;
import io.muster.core.StreamsGroupRecord;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TimerKey;
import io.muster.core.TypedGroup;
import io.muster.core.group.MemberGroupLogic;
import io.muster.core.group.OpenHeartbeats;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Decides for Streams groups (KIP-1071). */
public final class StreamsGroupLogic extends MemberGroupLogic<StreamsCommand, StreamsGroupRecord> {
    private final StreamsMembership membership;
    private final StreamsHeartbeatAnswers answers;

    public StreamsGroupLogic(ClaimRules claims) {
        super(GroupType.STREAMS, StreamsGroupEpoch.REMOVAL);
        this.membership = new StreamsMembership(claims);
        this.answers = new StreamsHeartbeatAnswers(claims);
    }

    @Override
    public void accept(GroupDraft draft, int index, Arrival arrival, StreamsCommand command) {
        command.accept(new StreamsCommand.Handler<GroupDraft>() {
            @Override
            public GroupDraft on(StreamsHeartbeat heartbeat) {
                membership.accept(draft, index, arrival, heartbeat);
                return draft;
            }

            @Override
            public GroupDraft on(StreamsCommand.ResetTopology reset) {
                TopologyUpdates.reset(draft, index);
                return draft;
            }

            @Override
            public GroupDraft on(StreamsCommand.UpdateTopologyDescription update) {
                TopologyDescriptions.store(draft, index, update);
                return draft;
            }

            @Override
            public GroupDraft on(StreamsCommand.InternalTopicsReported report) {
                InternalTopics.reported(draft, report.failures());
                draft.reply(index, new Response.Done());
                return draft;
            }

            @Override
            public GroupDraft on(StreamsCommand.EndOffsetsRead read) {
                EndOffsets.read(draft, read);
                draft.reply(index, new Response.Done());
                return draft;
            }
        });
    }

    @Override
    public void configsChanged(GroupDraft draft) {
        StreamsTargetAssignments.noteAssignor(draft);
    }

    @Override
    public void timerFired(GroupDraft draft, TimerFired fired) {
        if (fired.timer().kind() == TimerKey.Kind.INTERNAL_TOPICS) {
            InternalTopics.lapsed(draft, fired.epoch());
        }
    }

    @Override
    public void targetComputed(GroupDraft draft, TargetComputed computed) {
        StreamsTargetAssignments.take(draft, computed);
    }

    @Override
    protected void answerOpen(GroupDraft draft, SortedMap<Integer, Arrival> accepted) {
        TopologyUpdates.forgetUnused(draft);
        SortedMap<Integer, Arrival> open = OpenHeartbeats.of(draft, accepted);
        if (open.isEmpty() && !isDelayOver(draft, accepted)) {
            return;
        }
        TopologyStanding standing = TopologyStanding.of(draft);
        if (!StreamsGroup.of(draft).isEmpty()) {
            StreamsGroupEpoch.raiseIfDue(draft, standing.inForce());
            assign(draft, standing.inForce());
        }
        boolean founding = !draft.before().exists();
        for (Map.Entry<Integer, Arrival> entry : open.entrySet()) {
            answers.answer(draft, entry.getKey(), entry.getValue(), standing, founding);
            founding = false;
        }
        rememberFounding(draft, open.size());
    }

    /** Clients cannot remove members of Streams groups with LeaveGroup; operators can. */
    @Override
    public void removeMembers(GroupDraft draft, int index, RemoveMembers remove) {
        if (remove.byOperator()) {
            super.removeMembers(draft, index, remove);
        } else {
            draft.reply(
                    index,
                    new Response.MembersRemoved(remove.members().stream()
                            .map(key -> new Response.MemberResult(key, GroupError.UNKNOWN_MEMBER_ID))
                            .toList()));
        }
    }

    private static void rememberFounding(GroupDraft draft, int heartbeats) {
        boolean justFounded = !draft.before().exists() && heartbeats == 1;
        if (draft.memory().streams().justFounded() != justFounded) {
            draft.remember(draft.memory().withStreams(draft.memory().streams().withJustFounded(justFounded)));
        }
    }

    @Override
    public TypedGroup evolve(TypedGroup group, StreamsGroupRecord record) {
        StreamsGroup before = group instanceof StreamsGroup streams ? streams : StreamsGroup.NEW;
        return record.accept(new StreamsGroupEvolver(before));
    }

    @Override
    public GroupDescription describe(Group group, DecisionContext context) {
        return StreamsDescriptions.describe(group, context);
    }

    @Override
    public List<String> waiting(Group group, DecisionContext context) {
        StreamsGroup streams = StreamsGroup.of(group);
        return streams.isEmpty()
                ? List.of()
                : TopologyStanding.of(streams, KnownTopics.of(group, context)).waiting(streams, context.memory());
    }

    @Override
    public Optional<GroupError> judgeCommit(Group group, CommitCommand.Admit commit) {
        return StreamsCommitJudgement.judge(StreamsGroup.of(group), commit);
    }

    @Override
    public boolean consumes(Group group, String topic) {
        StreamsGroup streams = StreamsGroup.of(group);
        return !streams.isEmpty()
                && streams.topologies().byEpoch().values().stream()
                        .anyMatch(topology -> topology.allSources().contains(topic));
    }

    private static void assign(GroupDraft draft, ConfiguredTopology configured) {
        if (StreamsTargetAssignments.isBehind(draft)
                && !InitialDelay.runs(draft)
                && StreamsTargetAssignments.intervalIsOver(draft)) {
            StreamsTargetAssignments.compute(draft, configured);
        }
    }

    private static boolean isDelayOver(GroupDraft draft, SortedMap<Integer, Arrival> accepted) {
        boolean fired = accepted.values().stream()
                .anyMatch(arrival -> arrival.command() instanceof TimerFired timer
                        && timer.timer().kind() == TimerKey.Kind.INITIAL_DELAY);
        return fired && !InitialDelay.runs(draft);
    }
}
