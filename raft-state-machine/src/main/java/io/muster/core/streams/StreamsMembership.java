package io.muster.core.streams;

import io.muster.core.Arrival;
import io.muster.core.ClaimRules;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.HistoryMessages;
import io.muster.core.KnownTopics;
import io.muster.core.LeaderMemory;
import io.muster.core.Partitions;
import io.muster.core.Response.Refused;
import io.muster.core.Response.StreamsHeartbeatAnswer;
import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.StreamsGroupRecord.GroupSet;
import io.muster.core.StreamsGroupRecord.MemberSet;
import io.muster.core.StreamsGroupRecord.TargetSet;
import io.muster.core.StreamsGroupRecord.TaskOffsetsSet;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TaskAssignment;
import io.muster.core.TimerKey;
import io.muster.core.Topology;
import io.muster.core.group.MemberRemoval;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Takes heartbeats in: members join, tell what changed, and leave. What they get is answered later. */
final class StreamsMembership {
    private final ClaimRules claims;
    private final StreamsHandOvers handOvers;

    StreamsMembership(ClaimRules claims) {
        this.claims = claims;
        this.handOvers = new StreamsHandOvers(claims);
    }

    void accept(GroupDraft draft, int index, Arrival arrival, StreamsHeartbeat heartbeat) {
        Optional<Refused> refusal =
                StreamsHeartbeatValidation.refusal(heartbeat).or(() -> groupRefusal(draft, heartbeat));
        if (refusal.isPresent()) {
            draft.reply(index, refusal.get());
        } else if (heartbeat.leaves()) {
            leave(draft, index, heartbeat);
        } else if (!heartbeat.joins()) {
            applyChanges(draft, heartbeat);
        } else if (isSound(draft, index, arrival, heartbeat) && mayJoin(draft, index, arrival, heartbeat)) {
            join(draft, index, arrival, heartbeat);
        }
    }

    /** Who leaves and asks for a shutdown is heard, as in Kafka, even if it is no member any more: its fatal error is no less fatal. */
    private static Optional<Refused> groupRefusal(GroupDraft draft, StreamsHeartbeat heartbeat) {
        if (heartbeat.leaves() && !StreamsGroup.of(draft).isEmpty()) {
            askShutdown(draft, heartbeat);
        }
        return StreamsGroupValidation.refusal(draft, heartbeat);
    }

    /** Refuses a topology that can never be configured, though, as in Kafka, not before its topics are there and fit. */
    private static boolean isSound(GroupDraft draft, int index, Arrival arrival, StreamsHeartbeat heartbeat) {
        Topology sent = Objects.requireNonNull(heartbeat.topology());
        Optional<String> flaw = TopologyValidation.structureFlaw(sent);
        if (flaw.isEmpty()) {
            return true;
        }
        KnownTopics topics = KnownTopics.of(draft);
        SortedSet<String> required = TopologyConfiguration.externalSources(sent);
        boolean known = topics.unknownAmong(required).isEmpty();
        if (!known && arrival.mayWait()) {
            draft.awaitTopics(index, required);
            return false;
        }
        Optional<String> found = TopologyConfiguration.configure(sent, topics).flaw();
        (known ? found : flaw).ifPresent(text -> draft.reply(index, TopologyValidation.unsound(text)));
        return !draft.isAnswered(index);
    }

    /** Asks for the claim and for the topics at once, and waits until both are there. */
    private boolean mayJoin(GroupDraft draft, int index, Arrival arrival, StreamsHeartbeat heartbeat) {
        TreeSet<String> required = new TreeSet<>(StreamsGroup.of(draft).topicsOfInterest());
        required.addAll(Objects.requireNonNull(heartbeat.topology()).requiredTopics());
        TreeSet<String> unknown = KnownTopics.of(draft).unknownAmong(required);
        boolean admitted = claims.admitsJoin(draft, index, arrival);
        if (draft.isAnswered(index)) {
            return false;
        }
        if (arrival.mayWait() && !(admitted && unknown.isEmpty())) {
            // Known topics are waited for, too: what nobody needs is forgotten, and the claim may come late.
            draft.awaitTopics(index, required);
            return false;
        }
        if (admitted && arrival.mayWait() && isFirstOfLeadership(draft, heartbeat)) {
            draft.await(index);
            return false;
        }
        return admitted;
    }

    /**
     * Whether a new member comes to a group of which this leadership cannot hand over anything yet. It waits for the fence, which
     * this asks for, since it would have to wait a heartbeat longer for its tasks otherwise.
     */
    private boolean isFirstOfLeadership(GroupDraft draft, StreamsHeartbeat heartbeat) {
        StreamsGroup group = StreamsGroup.of(draft);
        return group.topology().isPresent()
                && group.members().find(heartbeat.memberId()).isEmpty()
                && !claims.handOversKnown(draft)
                && !handOvers.mayStart(draft, heartbeat.memberId());
    }

    private void join(GroupDraft draft, int index, Arrival arrival, StreamsHeartbeat heartbeat) {
        StreamsMembers members = StreamsGroup.of(draft).members();
        Optional<StreamsMember> predecessor =
                Optional.ofNullable(heartbeat.instanceId()).flatMap(members::findStatic);
        if (predecessor.isPresent() && !predecessor.get().id().equals(heartbeat.memberId())) {
            replace(draft, index, arrival, predecessor.get());
        } else {
            enter(draft, heartbeat);
        }
    }

    /** Lets a new member in, or a known one again. */
    private static void enter(GroupDraft draft, StreamsHeartbeat heartbeat) {
        boolean wasEmpty = StreamsGroup.of(draft).isEmpty();
        found(draft);
        boolean updates = TopologyUpdates.take(draft, heartbeat);
        Optional<StreamsMember> known = StreamsGroup.of(draft).members().find(heartbeat.memberId());
        MemberSet profile = known.map(member -> StreamsMemberProfiles.updated(member.profile(), heartbeat))
                .orElseGet(() -> StreamsMemberProfiles.joined(heartbeat));
        known.ifPresent(member -> comeBack(draft, heartbeat, member));
        if (known.isEmpty()) {
            draft.emit(profile);
            askShutdown(draft, heartbeat);
            boolean founds = !draft.before().exists() && wasEmpty;
            StreamsGroupEpoch.raise(
                    draft, Reason.JOINED, heartbeat.memberId(), HistoryMessages.ofFirst(founds, wasEmpty));
        } else {
            change(draft, heartbeat, known.get().profile(), profile);
            askShutdown(draft, heartbeat);
        }
        if (updates) {
            TopologyUpdates.note(draft, heartbeat.memberId());
        }
        TaskOffsets.applyReport(draft, heartbeat);
        if (wasEmpty) {
            InitialDelay.start(draft);
        }
    }

    /** Lets a member start from where it stood, or from epoch 0 if it was away; who joins owns nothing it should give up. */
    private static void comeBack(GroupDraft draft, StreamsHeartbeat heartbeat, StreamsMember member) {
        CurrentSet before = member.current();
        boolean wasAway = member.epoch() == StreamsHeartbeat.TEMPORARY_LEAVE_EPOCH;
        CurrentSet after = new CurrentSet(
                member.id(),
                wasAway ? 0 : before.memberEpoch(),
                wasAway ? 0 : before.previousMemberEpoch(),
                inherited(draft, heartbeat, member),
                TaskAssignment.EMPTY);
        if (!after.equals(before)) {
            draft.emit(after);
            draft.cancel(new TimerKey(TimerKey.Kind.REBALANCE, member.id()));
        }
        if (wasAway && !member.offsets().equals(TaskOffsetsSet.none(member.id()))) {
            // Another process may stand behind the member now: it tells its own.
            draft.emit(TaskOffsetsSet.none(member.id()));
        }
        TaskAssignment target = TopologyUpdates.kept(draft, heartbeat, member, member.target());
        if (!target.equals(member.target())) {
            draft.emit(new TargetSet(member.id(), target));
        }
    }

    private static void found(GroupDraft draft) {
        if (!draft.group().exists()) {
            int standbys = draft.config(GroupConfigs.STREAMS_NUM_STANDBY_REPLICAS);
            draft.emit(new GroupSet(1, 1, 0, -1, -1, standbys, StreamsGroupEpoch.assignmentConfigs(draft), ""));
            draft.remember(draft.memory().withStreams(LeaderMemory.StreamsMemory.EMPTY));
        }
    }

    /** A static member comes back under a new member id and takes over what is known to be safe. */
    private void replace(GroupDraft draft, int index, Arrival arrival, StreamsMember predecessor) {
        StreamsHeartbeat heartbeat = (StreamsHeartbeat) arrival.command();
        TaskAssignment inherited = inherited(draft, heartbeat, predecessor);
        Partitions<String> safe = inherited
                .active()
                .filter(handOvers.to(draft, heartbeat.memberId(), Objects.requireNonNull(heartbeat.topology())));
        if (!safe.equals(inherited.active()) && arrival.mayWait()) {
            draft.await(index);
            return;
        }
        boolean updates = TopologyUpdates.take(draft, heartbeat);
        MemberSet renamed = predecessor
                .profile()
                .withDetails(predecessor.profile().details().withMemberId(heartbeat.memberId()));
        MemberRemoval.forget(draft, predecessor);
        draft.emit(renamed);
        draft.emit(new TargetSet(
                heartbeat.memberId(), TopologyUpdates.kept(draft, heartbeat, predecessor, predecessor.target())));
        draft.emit(new CurrentSet(
                heartbeat.memberId(),
                0,
                0,
                new TaskAssignment(safe, inherited.standby(), inherited.warmup()),
                TaskAssignment.EMPTY));
        change(draft, heartbeat, renamed, StreamsMemberProfiles.updated(renamed, heartbeat));
        if (updates) {
            TopologyUpdates.note(draft, heartbeat.memberId());
        }
        askShutdown(draft, heartbeat);
        TaskOffsets.applyReport(draft, heartbeat);
    }

    /** The predecessor's tasks, but for those that others in the successor's process have. */
    private static TaskAssignment inherited(GroupDraft draft, StreamsHeartbeat heartbeat, StreamsMember predecessor) {
        String process =
                StreamsMemberProfiles.updated(predecessor.profile(), heartbeat).processId();
        Holdings others = new Holdings(StreamsGroup.of(draft), predecessor.id());
        TaskAssignment assigned = TopologyUpdates.kept(
                draft, heartbeat, predecessor, predecessor.current().assigned());
        return new TaskAssignment(
                assigned.active()
                        .filter(others.blocksActive(process, Objects.requireNonNull(heartbeat.topology()))
                                .negate()),
                assigned.standby().filter(others.blocksSpare(process).negate()),
                assigned.warmup().filter(others.blocksSpare(process).negate()));
    }

    private static void applyChanges(GroupDraft draft, StreamsHeartbeat heartbeat) {
        MemberSet before = StreamsGroup.of(draft)
                .members()
                .find(heartbeat.memberId())
                .orElseThrow()
                .profile();
        change(draft, heartbeat, before, StreamsMemberProfiles.updated(before, heartbeat));
        askShutdown(draft, heartbeat);
        TaskOffsets.applyReport(draft, heartbeat);
    }

    private static void change(GroupDraft draft, StreamsHeartbeat heartbeat, MemberSet before, MemberSet after) {
        if (after.equals(before)) {
            return;
        }
        draft.emit(after);
        boolean movesTasks = heartbeat.instanceId() == null || StreamsMemberProfiles.differsForTasks(before, after);
        if (movesTasks) {
            StreamsGroupEpoch.raise(
                    draft, Reason.MEMBER_CHANGED, after.memberId(), StreamsMemberProfiles.difference(before, after));
        }
    }

    private static void askShutdown(GroupDraft draft, StreamsHeartbeat heartbeat) {
        GroupSet status = StreamsGroup.of(draft).status();
        if (heartbeat.shutdownApplication() && status.shutdownMemberId().isEmpty()) {
            draft.emit(status.withShutdownMemberId(heartbeat.memberId()));
            draft.history(Reason.MEMBER_CHANGED, heartbeat.memberId(), "asked for a shutdown of the whole application");
        }
    }

    private static void leave(GroupDraft draft, int index, StreamsHeartbeat heartbeat) {
        StreamsGroupEpoch.REMOVAL.leave(draft, heartbeat);
        draft.reply(index, StreamsHeartbeatAnswer.left(heartbeat.memberId(), heartbeat.memberEpoch()));
    }
}
