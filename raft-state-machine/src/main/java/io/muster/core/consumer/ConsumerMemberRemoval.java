package io.muster.core.consumer;

import io.muster.core.Arrival;
import io.muster.core.ConsumerGroupRecord.MemberRemoved;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupCommand.MemberKey;
import io.muster.core.GroupCommand.RemoveMembers;
import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.HistoryMessages;
import io.muster.core.InternalCommand.TimerFired;
import io.muster.core.Response.MemberResult;
import io.muster.core.Response.MembersRemoved;
import io.muster.core.TimerKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The ways in which members go: they leave, they are removed, their time is up. */
final class ConsumerMemberRemoval {
    private ConsumerMemberRemoval() {}

    /** Removes the member and raises the group epoch. */
    static void remove(GroupDraft draft, String memberId, Reason reason, String detail) {
        forget(draft, memberId);
        ConsumerGroupEpoch.raise(draft, reason, memberId, detail);
    }

    /** Removes the member and its timers, and leaves the group epoch as it is. */
    static void forget(GroupDraft draft, String memberId) {
        draft.emit(new MemberRemoved(memberId));
        draft.cancel(new TimerKey(TimerKey.Kind.SESSION, memberId));
        draft.cancel(new TimerKey(TimerKey.Kind.REBALANCE, memberId));
    }

    /**
     * Removes all members and raises the group epoch once. Those without anything go, too: a commit of theirs from before may be on
     * its way, and no epoch of before may be good for it.
     */
    static void removeAll(GroupDraft draft, String detail) {
        List<String> removed = Consumers.group(draft).members().all().stream()
                .map(ConsumerMember::id)
                .toList();
        removed.forEach(memberId -> forget(draft, memberId));
        removed.stream()
                .findFirst()
                .ifPresent(first -> ConsumerGroupEpoch.raise(
                        draft, Reason.FENCED, first, HistoryMessages.withOthers(detail, removed.size())));
    }

    /** LeaveGroup, and the operator's removal: each entry is judged by the group as it was before, and the epoch is raised once. */
    static void answer(GroupDraft draft, int index, RemoveMembers command) {
        Reason reason = command.byOperator() ? Reason.REMOVED_BY_OPERATOR : Reason.LEFT;
        List<MemberResult> results = new ArrayList<>();
        Set<String> leaving = new LinkedHashSet<>();
        for (MemberKey key : command.members()) {
            Optional<ConsumerMember> member = find(draft, key);
            GroupError error = complaint(key, member);
            if (error == null) {
                leaving.add(member.orElseThrow().id());
            }
            results.add(new MemberResult(key, error));
        }
        leaving.forEach(memberId -> forget(draft, memberId));
        leaving.stream().findFirst().ifPresent(first -> {
            String others = leaving.size() == 1 ? "" : "with " + (leaving.size() - 1) + " more";
            ConsumerGroupEpoch.raise(draft, reason, first, others);
        });
        draft.reply(index, new MembersRemoved(results));
    }

    private static Optional<ConsumerMember> find(GroupDraft draft, MemberKey key) {
        ConsumerMembers members = Consumers.group(draft).members();
        return key.instanceId().isEmpty() ? members.find(key.memberId()) : members.findStatic(key.instanceId());
    }

    private static @Nullable GroupError complaint(MemberKey key, Optional<ConsumerMember> member) {
        if (member.isEmpty()) {
            return GroupError.UNKNOWN_MEMBER_ID;
        }
        boolean other =
                !key.memberId().isEmpty() && !key.memberId().equals(member.get().id());
        return other ? GroupError.FENCED_INSTANCE_ID : null;
    }

    /** Removes the members whose time was up before any of the heartbeats that are decided on now came in. */
    static void expire(GroupDraft draft, SortedMap<Integer, Arrival> accepted) {
        for (Arrival arrival : accepted.values()) {
            if (arrival.command() instanceof TimerFired fired) {
                Consumers.group(draft)
                        .members()
                        .find(fired.timer().subject())
                        .filter(member -> member.epoch() == fired.epoch())
                        .ifPresent(member -> expire(draft, fired.timer().kind(), member, accepted));
            }
        }
    }

    private static void expire(
            GroupDraft draft, TimerKey.Kind kind, ConsumerMember member, SortedMap<Integer, Arrival> accepted) {
        boolean heard = accepted.entrySet().stream()
                .anyMatch(entry -> entry.getValue().command() instanceof ConsumerHeartbeat heartbeat
                        && heartbeat.memberId().equals(member.id())
                        && !draft.isAnswered(entry.getKey())
                        && (kind == TimerKey.Kind.SESSION || gaveUp(heartbeat, member)));
        if (heard) {
            return;
        }
        if (kind == TimerKey.Kind.SESSION) {
            boolean wasAway = member.epoch() == ConsumerHeartbeat.TEMPORARY_LEAVE_EPOCH;
            remove(draft, member.id(), Reason.SESSION_EXPIRED, HistoryMessages.ofSession(wasAway));
        } else if (kind == TimerKey.Kind.REBALANCE
                && !member.current().pendingRevocation().isEmpty()) {
            List<String> kept = HistoryMessages.partitions(
                    member.current().pendingRevocation(), draft.group().topicBasis());
            remove(
                    draft,
                    member.id(),
                    Reason.REVOCATION_TIMED_OUT,
                    HistoryMessages.ofRevocation(kept, member.profile().rebalanceTimeoutMillis()));
        }
    }

    private static boolean gaveUp(ConsumerHeartbeat heartbeat, ConsumerMember member) {
        return heartbeat.ownedPartitions() != null
                && heartbeat
                        .ownedPartitions()
                        .intersect(member.current().pendingRevocation())
                        .isEmpty();
    }
}
