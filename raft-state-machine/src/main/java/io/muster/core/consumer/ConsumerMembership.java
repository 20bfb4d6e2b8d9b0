package io.muster.core.consumer;

import io.muster.core.Arrival;
import io.muster.core.ClaimRules;
import io.muster.core.ConsumerGroupRecord.CurrentSet;
import io.muster.core.ConsumerGroupRecord.GroupSet;
import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.ConsumerGroupRecord.TargetSet;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupDraft;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.HistoryMessages;
import io.muster.core.KnownTopics;
import io.muster.core.Partitions;
import io.muster.core.Response.ConsumerHeartbeatAnswer;
import io.muster.core.Response.Refused;
import io.muster.core.group.EpochRecords;
import io.muster.core.group.GroupValidation;
import io.muster.core.group.MemberRemoval;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;

/** Takes heartbeats in: members join, tell what changed, and leave. What they get is answered later. */
final class ConsumerMembership {
    private final ClaimRules claims;
    private final ConsumerHandOvers handOvers;

    ConsumerMembership(ClaimRules claims) {
        this.claims = claims;
        this.handOvers = new ConsumerHandOvers(claims);
    }

    void accept(GroupDraft draft, int index, Arrival arrival, ConsumerHeartbeat heartbeat) {
        Optional<Refused> refusal = ConsumerHeartbeatValidation.refusal(heartbeat)
                .or(() -> GroupValidation.refusal(draft, heartbeat))
                .or(() -> ConsumerHeartbeatValidation.patternRefusal(heartbeat));
        if (refusal.isPresent()) {
            draft.reply(index, refusal.get());
        } else if (heartbeat.leaves()) {
            leave(draft, index, heartbeat);
        } else if (mayGoOn(draft, index, arrival, heartbeat)) {
            if (heartbeat.joins()) {
                join(draft, index, arrival, heartbeat);
            } else {
                applyChanges(draft, heartbeat);
            }
        }
    }

    /** Asks for the claim and for the topics at once, and waits until both are there. */
    private boolean mayGoOn(GroupDraft draft, int index, Arrival arrival, ConsumerHeartbeat heartbeat) {
        List<String> names = heartbeat.subscribedTopicNames();
        TreeSet<String> subscribed = new TreeSet<>(names == null ? List.of() : names);
        TreeSet<String> unknown = KnownTopics.of(draft).unknownAmong(subscribed);
        boolean admitted = !heartbeat.joins() || claims.admitsJoin(draft, index, arrival);
        if (draft.isAnswered(index)) {
            return false;
        }
        if (arrival.mayWait() && !(admitted && unknown.isEmpty())) {
            // Known topics are waited for, too: what nobody needs is forgotten, and the claim may come late.
            draft.awaitTopics(index, subscribed);
            return false;
        }
        return admitted;
    }

    private void join(GroupDraft draft, int index, Arrival arrival, ConsumerHeartbeat heartbeat) {
        ConsumerMembers members = ConsumerGroup.of(draft).members();
        Optional<ConsumerMember> predecessor =
                Optional.ofNullable(heartbeat.instanceId()).flatMap(members::findStatic);
        if (predecessor.isPresent() && !predecessor.get().id().equals(heartbeat.memberId())) {
            replace(draft, index, arrival, heartbeat, predecessor.get());
        } else {
            enter(draft, heartbeat);
        }
    }

    /** Lets a new member in, or a known one again. */
    private static void enter(GroupDraft draft, ConsumerHeartbeat heartbeat) {
        boolean founds = !draft.group().exists();
        boolean wasEmpty = ConsumerGroup.of(draft).isEmpty();
        if (founds) {
            draft.emit(new GroupSet(1, 1, 0));
        }
        Optional<ConsumerMember> known = ConsumerGroup.of(draft).members().find(heartbeat.memberId());
        if (known.isPresent()) {
            if (known.get().epoch() == ConsumerHeartbeat.TEMPORARY_LEAVE_EPOCH) {
                CurrentSet away = known.get().current();
                draft.emit(atJoin(heartbeat.memberId(), away, away.assigned()));
            }
            change(
                    draft,
                    known.get().profile(),
                    ConsumerMemberProfiles.updated(known.get().profile(), heartbeat));
            return;
        }
        MemberSet profile = ConsumerMemberProfiles.joined(heartbeat);
        draft.emit(profile);
        if (!profile.subscribedTopicNames().isEmpty()
                || profile.serverAssignor() != null
                || Patterns.isResolved(draft, profile.subscribedTopicRegex())) {
            ConsumerGroupEpoch.raise(
                    draft, Reason.JOINED, heartbeat.memberId(), HistoryMessages.ofFirst(founds, wasEmpty));
        } else if (!profile.subscribedTopicRegex().isEmpty()) {
            String detail = "pattern " + profile.subscribedTopicRegex() + " is looked up";
            EpochRecords.note(draft, Reason.JOINED, heartbeat.memberId(), detail);
        }
    }

    /** A static member comes back under a new member id and takes over what is known to be safe. */
    private void replace(
            GroupDraft draft, int index, Arrival arrival, ConsumerHeartbeat heartbeat, ConsumerMember predecessor) {
        Partitions<UUID> assigned = predecessor.current().assigned();
        Partitions<UUID> safe = assigned.filter(handOvers.to(draft, heartbeat.memberId()));
        if (!safe.equals(assigned) && arrival.mayWait()) {
            draft.await(index);
            return;
        }
        MemberSet renamed = predecessor
                .profile()
                .withDetails(predecessor.profile().details().withMemberId(heartbeat.memberId()));
        MemberRemoval.forget(draft, predecessor);
        draft.emit(renamed);
        draft.emit(new TargetSet(heartbeat.memberId(), predecessor.target()));
        draft.emit(atJoin(heartbeat.memberId(), predecessor.current(), safe));
        change(draft, renamed, ConsumerMemberProfiles.updated(renamed, heartbeat));
    }

    /** A static member that is back with these of the partitions that it left with. */
    private static CurrentSet atJoin(String memberId, CurrentSet left, Partitions<UUID> kept) {
        return new CurrentSet(memberId, 0, 0, kept, Partitions.none(), left.heldSince());
    }

    private static void applyChanges(GroupDraft draft, ConsumerHeartbeat heartbeat) {
        MemberSet before = ConsumerGroup.of(draft)
                .members()
                .find(heartbeat.memberId())
                .orElseThrow()
                .profile();
        change(draft, before, ConsumerMemberProfiles.updated(before, heartbeat));
    }

    private static void change(GroupDraft draft, MemberSet before, MemberSet after) {
        if (after.equals(before)) {
            return;
        }
        String assignor =
                ConsumerTargetAssignments.assignorOf(ConsumerGroup.of(draft)).name();
        draft.emit(after);
        String difference =
                ConsumerMemberProfiles.targetDifference(before, after, pattern -> Patterns.isResolved(draft, pattern));
        String voted =
                ConsumerTargetAssignments.assignorOf(ConsumerGroup.of(draft)).name();
        if (difference.isEmpty() && !voted.equals(assignor)) {
            difference = "assignor is " + voted;
        }
        if (!difference.isEmpty()) {
            ConsumerGroupEpoch.raise(draft, Reason.SUBSCRIPTION_CHANGED, after.memberId(), difference);
        }
    }

    private static void leave(GroupDraft draft, int index, ConsumerHeartbeat heartbeat) {
        ConsumerGroupEpoch.REMOVAL.leave(draft, heartbeat);
        draft.reply(
                index,
                new ConsumerHeartbeatAnswer(
                        heartbeat.memberId(), heartbeat.memberEpoch(), 0, null, Collections.emptySortedSet()));
    }
}
