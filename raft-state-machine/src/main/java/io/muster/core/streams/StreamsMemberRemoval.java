package io.muster.core.streams;

import io.muster.core.Arrival;
import io.muster.core.GroupCommand.MemberKey;
import io.muster.core.GroupCommand.RemoveMembers;
import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.HistoryMessages;
import io.muster.core.InternalCommand.TimerFired;
import io.muster.core.Response.MemberResult;
import io.muster.core.Response.MembersRemoved;
import io.muster.core.StreamsGroupRecord.MemberRemoved;
import io.muster.core.StreamsHeartbeat;
import io.muster.core.TimerKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** The ways in which members go: they leave, an operator removes them, their time is up. */
final class StreamsMemberRemoval {
    private StreamsMemberRemoval() {}

    /** Removes the member and raises the group epoch. */
    static void remove(GroupDraft draft, String memberId, Reason reason, String detail) {
        forget(draft, memberId);
        StreamsGroupEpoch.raiseWithout(draft, reason, memberId, detail);
        if (Streams.group(draft).isEmpty()) {
            InitialDelay.stop(draft);
        }
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
        List<String> removed = Streams.group(draft).members().all().stream()
                .map(StreamsMember::id)
                .toList();
        removed.forEach(memberId -> forget(draft, memberId));
        removed.stream().findFirst().ifPresent(first -> {
            StreamsGroupEpoch.raiseWithout(
                    draft, Reason.FENCED, first, HistoryMessages.withOthers(detail, removed.size()));
            if (Streams.group(draft).isEmpty()) {
                InitialDelay.stop(draft);
            }
        });
    }

    /** Clients cannot remove members of Streams groups with LeaveGroup; operators can. */
    static void answer(GroupDraft draft, int index, RemoveMembers command) {
        List<MemberResult> results = new ArrayList<>();
        for (MemberKey key : command.members()) {
            Optional<StreamsMember> member = command.byOperator() ? find(draft, key) : Optional.empty();
            member.ifPresent(some -> remove(draft, some.id(), Reason.REMOVED_BY_OPERATOR, ""));
            results.add(new MemberResult(key, member.isPresent() ? null : GroupError.UNKNOWN_MEMBER_ID));
        }
        draft.reply(index, new MembersRemoved(results));
    }

    private static Optional<StreamsMember> find(GroupDraft draft, MemberKey key) {
        StreamsMembers members = Streams.group(draft).members();
        Optional<StreamsMember> found =
                key.memberId().isEmpty() ? members.findStatic(key.instanceId()) : members.find(key.memberId());
        return found.filter(member -> key.instanceId().isEmpty()
                || key.instanceId().equals(member.profile().instanceId()));
    }

    /** Removes the members whose time was up before any of the heartbeats that are decided on now came in. */
    static void expire(GroupDraft draft, SortedMap<Integer, Arrival> accepted) {
        for (Arrival arrival : accepted.values()) {
            if (arrival.command() instanceof TimerFired fired) {
                Streams.group(draft)
                        .members()
                        .find(fired.timer().subject())
                        .filter(member -> member.epoch() == fired.epoch())
                        .ifPresent(member -> expire(draft, fired.timer().kind(), member, accepted));
            }
        }
    }

    private static void expire(
            GroupDraft draft, TimerKey.Kind kind, StreamsMember member, SortedMap<Integer, Arrival> accepted) {
        boolean heard = accepted.entrySet().stream()
                .anyMatch(entry -> entry.getValue().command() instanceof StreamsHeartbeat heartbeat
                        && heartbeat.memberId().equals(member.id())
                        && !draft.isAnswered(entry.getKey())
                        && (kind == TimerKey.Kind.SESSION || gaveUp(heartbeat, member)));
        if (heard) {
            return;
        }
        if (kind == TimerKey.Kind.SESSION) {
            boolean wasAway = member.epoch() == StreamsHeartbeat.TEMPORARY_LEAVE_EPOCH;
            remove(draft, member.id(), Reason.SESSION_EXPIRED, HistoryMessages.ofSession(wasAway));
        } else if (kind == TimerKey.Kind.REBALANCE
                && !member.current().pendingRevocation().isEmpty()) {
            List<String> kept = TaskOffsets.names(member.current().pendingRevocation());
            remove(
                    draft,
                    member.id(),
                    Reason.REVOCATION_TIMED_OUT,
                    "tasks "
                            + HistoryMessages.ofRevocation(
                                    kept, member.profile().rebalanceTimeoutMillis()));
        }
    }

    private static boolean gaveUp(StreamsHeartbeat heartbeat, StreamsMember member) {
        return heartbeat
                .tasks()
                .known()
                .map(owned ->
                        owned.intersect(member.current().pendingRevocation()).isEmpty())
                .orElse(false);
    }
}
