package io.muster.core.streams;

import io.muster.core.GroupCommand.ShortenSession;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.Response;
import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.TimerKey;
import java.util.Optional;

/** The session and rebalance timeouts of members. */
final class StreamsMemberTimers {
    private StreamsMemberTimers() {}

    static void armSession(GroupDraft draft, String memberId, int memberEpoch) {
        int timeout = Streams.config(draft, GroupConfigs.STREAMS_SESSION_TIMEOUT);
        draft.arm(new TimerKey(TimerKey.Kind.SESSION, memberId), timeout, memberEpoch);
    }

    /** A member that is still there sends a heartbeat within two intervals, which arms its session in full again. */
    static void answer(GroupDraft draft, int index, ShortenSession command) {
        Optional<StreamsMember> member = Streams.group(draft).members().find(command.memberId());
        if (member.isEmpty()) {
            draft.reply(index, StreamsGroupValidation.unknownMember(draft, command.memberId()));
            return;
        }
        int session = Streams.config(draft, GroupConfigs.STREAMS_SESSION_TIMEOUT);
        int intervals = 2 * Streams.config(draft, GroupConfigs.STREAMS_HEARTBEAT_INTERVAL);
        draft.arm(
                new TimerKey(TimerKey.Kind.SESSION, command.memberId()),
                Math.min(session, intervals),
                member.get().epoch());
        draft.reply(index, new Response.Done());
    }

    /** Arms or cancels the rebalance timeout after a step of the member. */
    static void followStep(GroupDraft draft, StreamsMember before, CurrentSet after) {
        if (!after.pendingRevocation().isEmpty()) {
            armRebalance(draft, before.profile().rebalanceTimeoutMillis(), after);
        } else if (!before.current().pendingRevocation().isEmpty()) {
            draft.cancel(new TimerKey(TimerKey.Kind.REBALANCE, before.id()));
        }
    }

    /** Arms all timers of a group that a new leader loaded, in full. */
    static void armAll(GroupDraft draft) {
        for (StreamsMember member : Streams.group(draft).members().all()) {
            armSession(draft, member.id(), member.epoch());
            if (!member.current().pendingRevocation().isEmpty()) {
                armRebalance(draft, member.profile().rebalanceTimeoutMillis(), member.current());
            }
        }
    }

    private static void armRebalance(GroupDraft draft, int timeoutMillis, CurrentSet current) {
        draft.arm(
                new TimerKey(TimerKey.Kind.REBALANCE, current.memberId()),
                Math.max(0, timeoutMillis),
                current.memberEpoch());
    }
}
