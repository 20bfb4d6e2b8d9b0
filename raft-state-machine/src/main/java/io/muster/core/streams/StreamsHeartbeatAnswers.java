package io.muster.core.streams;

import io.muster.core.Arrival;
import io.muster.core.ClaimRules;
import io.muster.core.Endpoint;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.Response;
import io.muster.core.Response.StreamsHeartbeatAnswer;
import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TaskAssignment;
import io.muster.core.Topology.InternalTopic;
import io.muster.core.group.GroupValidation;
import io.muster.core.group.MemberSteps;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Moves members that sent heartbeats towards their targets, and answers them. */
final class StreamsHeartbeatAnswers {
    private final ClaimRules claims;
    private final StreamsHandOvers handOvers;

    StreamsHeartbeatAnswers(ClaimRules claims) {
        this.claims = claims;
        this.handOvers = new StreamsHandOvers(claims);
    }

    /**
     * Answers one heartbeat, or leaves it to wait for a task that is about to be free.
     *
     * @param founding whether it is the join that created the group
     */
    void answer(GroupDraft draft, int index, Arrival arrival, TopologyStanding standing, boolean founding) {
        StreamsHeartbeat heartbeat = (StreamsHeartbeat) arrival.command();
        Optional<StreamsMember> found = StreamsGroup.of(draft).members().find(heartbeat.memberId());
        if (found.isEmpty()) {
            draft.reply(index, GroupValidation.unknownMember(draft, heartbeat.memberId()));
            return;
        }
        StreamsMember before = found.get();
        TaskReconciliation.Step step = step(draft, before, heartbeat);
        boolean waits = step.withheld() && arrival.mayWait() && isUntouched(draft, before, heartbeat);
        if (MemberSteps.take(draft, index, before, step.current(), waits)) {
            draft.reply(index, answer(draft, heartbeat, before, standing, founding));
        }
    }

    private TaskReconciliation.Step step(GroupDraft draft, StreamsMember found, StreamsHeartbeat heartbeat) {
        StreamsGroup group = StreamsGroup.of(draft);
        StreamsMember member = claims.mayKeep(draft) ? found : withoutTarget(found);
        if (member.isReconciledTo(group.assignmentEpoch())) {
            return new TaskReconciliation.Step(member.current(), false);
        }
        Holdings others = new Holdings(group, member.id());
        String process = member.profile().processId();
        TaskReconciliation.Rules rules = new TaskReconciliation.Rules(
                others.blocksActive(process, group.topologyOf(member)),
                others.blocksSpare(process),
                handOvers.to(draft, member.id(), group.topologyOf(member)));
        return new TaskReconciliation(
                        member.current(),
                        member.target(),
                        group.assignmentEpoch(),
                        heartbeat.tasks().known(),
                        rules)
                .next();
    }

    private static StreamsMember withoutTarget(StreamsMember member) {
        return new StreamsMember(member.profile(), member.current(), TaskAssignment.EMPTY, member.offsets());
    }

    /** Whether nothing was recorded on behalf of this heartbeat. */
    private static boolean isUntouched(GroupDraft draft, StreamsMember member, StreamsHeartbeat heartbeat) {
        return !heartbeat.joins()
                && !heartbeat.shutdownApplication()
                && StreamsGroup.of(draft.before())
                        .members()
                        .find(member.id())
                        .filter(old -> old.profile().equals(member.profile())
                                && old.offsets().equals(member.offsets()))
                        .isPresent();
    }

    private static StreamsHeartbeatAnswer answer(
            GroupDraft draft,
            StreamsHeartbeat heartbeat,
            StreamsMember before,
            TopologyStanding standing,
            boolean founding) {
        StreamsMember member =
                StreamsGroup.of(draft).members().find(before.id()).orElseThrow();
        CurrentSet current = member.current();
        boolean tasksChanged = !current.assigned().equals(before.current().assigned());
        boolean moved = heartbeat.joins() || tasksChanged;
        Response.EndpointInformation endpoints = MemberEndpoints.inform(
                draft,
                heartbeat.endpointInformationEpoch(),
                endpointChanged(draft, member)
                        || (tasksChanged && member.profile().userEndpoint() != null),
                founding);
        List<InternalTopic> topicsToCreate = InternalTopics.request(draft, standing, member);
        return new StreamsHeartbeatAnswer(
                member.id(),
                current.memberEpoch(),
                new Response.MemberSettings(
                        draft.config(GroupConfigs.STREAMS_HEARTBEAT_INTERVAL),
                        draft.config(GroupConfigs.STREAMS_TASK_OFFSET_INTERVAL),
                        GroupConfigs.acceptableRecoveryLag(
                                draft.group(), draft.context().config())),
                HeartbeatStatus.of(draft, heartbeat, member, standing),
                moved || isBehind(heartbeat, before) ? current.assigned() : null,
                endpoints,
                new Response.FollowUps(
                        TopologyDescriptions.ask(draft, heartbeat, member), topicsToCreate, EndOffsets.request(draft)));
    }

    /** Whether the member shows by its tasks that it did not hear what it was told last: Kafka would not say it again. */
    private static boolean isBehind(StreamsHeartbeat heartbeat, StreamsMember before) {
        TaskAssignment has = before.current().assigned();
        TaskAssignment givesUp = before.current().pendingRevocation();
        boolean isOfEpochBefore = heartbeat.memberEpoch() < before.epoch();
        return heartbeat
                .tasks()
                .known()
                .filter(owned -> isOfEpochBefore
                        ? !owned.equals(has)
                        : !owned.intersect(givesUp).isEmpty())
                .isPresent();
    }

    /** Whether this heartbeat brought the member another endpoint than it, or who had its instance id, had before. */
    private static boolean endpointChanged(GroupDraft draft, StreamsMember member) {
        StreamsMembers members = StreamsGroup.of(draft.before()).members();
        Endpoint before = members.find(member.id())
                .or(() -> Optional.ofNullable(member.profile().instanceId()).flatMap(members::findStatic))
                .map(old -> old.profile().userEndpoint())
                .orElse(null);
        return !Objects.equals(before, member.profile().userEndpoint());
    }
}
