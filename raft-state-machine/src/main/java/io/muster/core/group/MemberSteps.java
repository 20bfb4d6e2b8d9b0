package io.muster.core.group;

import io.muster.core.CurrentAssignment;
import io.muster.core.GroupDraft;
import io.muster.core.GroupMember;
import io.muster.core.GroupRecord;
import io.muster.core.MemberHeartbeat;
import io.muster.core.TimerKey;

/** Records where members stand once they have moved on, and what follows for their timers. */
public final class MemberSteps {
    private MemberSteps() {}

    /**
     * Records the step that a heartbeat takes.
     *
     * @param waits whether the heartbeat is left to wait instead, since more may be possible soon
     * @return whether the step is taken
     */
    public static <C extends GroupRecord & CurrentAssignment> boolean take(
            GroupDraft draft, int index, GroupMember before, C after, boolean waits) {
        MemberTimers.armSession(draft, before.id(), after.memberEpoch());
        if (waits) {
            draft.await(index);
        } else if (!after.equals(before.current())) {
            draft.emit(after);
            MemberTimers.followStep(draft, before, after);
        }
        return !waits;
    }

    /** Records that a static member left: it keeps what it has, and has one session timeout to come back. */
    public static void leaveForAWhile(GroupDraft draft, String memberId) {
        CurrentAssignment current =
                draft.group().typed().find(memberId).orElseThrow().current();
        GroupRecord away = current.away();
        if (!away.equals(current)) {
            draft.emit(away);
        }
        MemberTimers.armSession(draft, memberId, MemberHeartbeat.TEMPORARY_LEAVE_EPOCH);
        draft.cancel(new TimerKey(TimerKey.Kind.REBALANCE, memberId));
    }
}
