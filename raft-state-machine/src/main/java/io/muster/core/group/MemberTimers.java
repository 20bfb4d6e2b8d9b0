package io.muster.core.group;

import io.muster.core.CurrentAssignment;
import io.muster.core.GroupCommand.ShortenSession;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.GroupMember;
import io.muster.core.GroupType;
import io.muster.core.Response;
import io.muster.core.TimerKey;
import java.util.Optional;

/** The session and rebalance timeouts of members. */
public final class MemberTimers {
    private MemberTimers() {}

    public static void armSession(GroupDraft draft, String memberId, int memberEpoch) {
        armSession(draft, memberId, memberEpoch, sessionTimeoutMillis(draft));
    }

    /** A member that is still there sends a heartbeat within two intervals, which arms its session in full again. */
    public static void answer(GroupDraft draft, int index, ShortenSession command) {
        Optional<GroupMember> member = draft.group().typed().find(command.memberId());
        if (member.isEmpty()) {
            draft.reply(index, GroupValidation.unknownMember(draft, command.memberId()));
            return;
        }
        int intervals = 2 * draft.config(GroupConfigs.heartbeatInterval(typeOf(draft)));
        armSession(draft, command.memberId(), member.get().epoch(), Math.min(sessionTimeoutMillis(draft), intervals));
        draft.reply(index, new Response.Done());
    }

    /** Arms or cancels the rebalance timeout after a step of the member. */
    public static void followStep(GroupDraft draft, GroupMember before, CurrentAssignment after) {
        if (after.isRevoking()) {
            armRebalance(draft, before.profile().rebalanceTimeoutMillis(), after);
        } else if (before.current().isRevoking()) {
            draft.cancel(new TimerKey(TimerKey.Kind.REBALANCE, before.id()));
        }
    }

    /** Arms all timers of a group that a new leader loaded, in full. */
    public static void armAll(GroupDraft draft) {
        for (GroupMember member : draft.group().typed().members().all()) {
            armSession(draft, member.id(), member.epoch());
            if (member.current().isRevoking()) {
                armRebalance(draft, member.profile().rebalanceTimeoutMillis(), member.current());
            }
        }
    }

    /** Cancels all timers of a member that is gone. */
    static void cancelAll(GroupDraft draft, String memberId) {
        draft.cancel(new TimerKey(TimerKey.Kind.SESSION, memberId));
        draft.cancel(new TimerKey(TimerKey.Kind.REBALANCE, memberId));
    }

    private static void armSession(GroupDraft draft, String memberId, int memberEpoch, int timeoutMillis) {
        draft.arm(new TimerKey(TimerKey.Kind.SESSION, memberId), timeoutMillis, memberEpoch);
    }

    private static void armRebalance(GroupDraft draft, int timeoutMillis, CurrentAssignment current) {
        draft.arm(
                new TimerKey(TimerKey.Kind.REBALANCE, current.memberId()),
                Math.max(0, timeoutMillis),
                current.memberEpoch());
    }

    private static int sessionTimeoutMillis(GroupDraft draft) {
        return draft.config(GroupConfigs.sessionTimeout(typeOf(draft)));
    }

    private static GroupType typeOf(GroupDraft draft) {
        return draft.group().typed().type().orElseThrow();
    }
}
