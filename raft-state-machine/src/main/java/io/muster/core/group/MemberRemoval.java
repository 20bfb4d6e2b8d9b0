package io.muster.core.group;

import io.muster.core.Arrival;
import io.muster.core.GroupCommand.MemberKey;
import io.muster.core.GroupCommand.RemoveMembers;
import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.GroupMember;
import io.muster.core.HistoryEntry.Reason;
import io.muster.core.HistoryMessages;
import io.muster.core.InternalCommand.TimerFired;
import io.muster.core.MemberHeartbeat;
import io.muster.core.Response.MemberResult;
import io.muster.core.Response.MembersRemoved;
import io.muster.core.TimerKey;
import io.muster.core.TypedGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which members go: they leave, they are removed, their time is up.
 *
 * @param epoch raises the group epoch once members are gone
 */
public record MemberRemoval(EpochRaise epoch) {
    /** Raises the epoch of a group. */
    @FunctionalInterface
    public interface EpochRaise {
        /** @param memberId the member that caused it, the first if there are several */
        void raise(GroupDraft draft, Reason reason, String memberId, String detail);
    }

    /** A member leaves, for good or for a while. */
    public void leave(GroupDraft draft, MemberHeartbeat heartbeat) {
        String memberId = heartbeat.memberId();
        if (heartbeat.memberEpoch() == MemberHeartbeat.TEMPORARY_LEAVE_EPOCH) {
            MemberSteps.leaveForAWhile(draft, memberId);
        } else {
            forget(draft, draft.group().typed().find(memberId).orElseThrow());
            epoch.raise(draft, Reason.LEFT, memberId, "");
        }
    }

    /** Removes the member and its timers, and leaves the group epoch as it is. */
    public static void forget(GroupDraft draft, GroupMember member) {
        draft.emit(member.removal());
        MemberTimers.cancelAll(draft, member.id());
    }

    /**
     * Removes all members and raises the group epoch once. Those without anything go, too: a commit of theirs from before may be on
     * its way, and no epoch of before may be good for it.
     */
    public void removeAll(GroupDraft draft, String detail) {
        removeTogether(draft, List.copyOf(draft.group().typed().members().all()), Reason.FENCED, detail);
    }

    /** Removes members, and raises the group epoch once if there are any. */
    private void removeTogether(
            GroupDraft draft, Collection<? extends GroupMember> members, Reason reason, String detail) {
        members.forEach(member -> forget(draft, member));
        members.stream()
                .findFirst()
                .ifPresent(first ->
                        epoch.raise(draft, reason, first.id(), HistoryMessages.withOthers(detail, members.size())));
    }

    /** LeaveGroup, and the operator's removal: each entry is judged by the group as it was before, and the epoch is raised once. */
    public void answer(GroupDraft draft, int index, RemoveMembers command) {
        Reason reason = command.byOperator() ? Reason.REMOVED_BY_OPERATOR : Reason.LEFT;
        List<MemberResult> results = new ArrayList<>();
        Map<String, GroupMember> leaving = new LinkedHashMap<>();
        for (MemberKey key : command.members()) {
            Optional<GroupMember> member = find(draft.group().typed(), key);
            GroupError error = complaint(key, member);
            if (error == null) {
                leaving.put(member.orElseThrow().id(), member.orElseThrow());
            }
            results.add(new MemberResult(key, error));
        }
        removeTogether(draft, leaving.values(), reason, "");
        draft.reply(index, new MembersRemoved(results));
    }

    private static Optional<GroupMember> find(TypedGroup group, MemberKey key) {
        return key.instanceId().isEmpty() ? group.find(key.memberId()) : group.findStatic(key.instanceId());
    }

    private static @Nullable GroupError complaint(MemberKey key, Optional<GroupMember> member) {
        if (member.isEmpty()) {
            return GroupError.UNKNOWN_MEMBER_ID;
        }
        boolean other =
                !key.memberId().isEmpty() && !key.memberId().equals(member.get().id());
        return other ? GroupError.FENCED_INSTANCE_ID : null;
    }

    /** Removes the members whose time was up before any of the heartbeats that are decided on now came in. */
    public void expire(GroupDraft draft, SortedMap<Integer, Arrival> accepted) {
        Map<String, List<MemberHeartbeat>> heard = new LinkedHashMap<>();
        List<TimerFired> fired = new ArrayList<>();
        accepted.forEach((index, arrival) -> {
            if (arrival.command() instanceof MemberHeartbeat heartbeat && !draft.isAnswered(index)) {
                heard.computeIfAbsent(heartbeat.memberId(), id -> new ArrayList<>())
                        .add(heartbeat);
            } else if (arrival.command() instanceof TimerFired timer) {
                fired.add(timer);
            }
        });
        for (TimerFired timer : fired) {
            String memberId = timer.timer().subject();
            draft.group()
                    .typed()
                    .find(memberId)
                    .filter(member -> member.epoch() == timer.epoch())
                    .ifPresent(member ->
                            expire(draft, timer.timer().kind(), member, heard.getOrDefault(memberId, List.of())));
        }
    }

    private void expire(GroupDraft draft, TimerKey.Kind kind, GroupMember member, List<MemberHeartbeat> heard) {
        if (kind == TimerKey.Kind.SESSION && heard.isEmpty()) {
            boolean wasAway = member.epoch() == MemberHeartbeat.TEMPORARY_LEAVE_EPOCH;
            forget(draft, member);
            epoch.raise(draft, Reason.SESSION_EXPIRED, member.id(), HistoryMessages.ofSession(wasAway));
        } else if (kind == TimerKey.Kind.REBALANCE
                && member.current().isRevoking()
                && heard.stream().noneMatch(member::gaveUp)) {
            String kept = member.pendingRevocation(draft.group());
            forget(draft, member);
            epoch.raise(
                    draft,
                    Reason.REVOCATION_TIMED_OUT,
                    member.id(),
                    HistoryMessages.ofRevocation(kept, member.profile().rebalanceTimeoutMillis()));
        }
    }
}
