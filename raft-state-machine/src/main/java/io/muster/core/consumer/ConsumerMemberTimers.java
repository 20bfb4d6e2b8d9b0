package io.muster.core.consumer;

import io.muster.core.ConsumerGroupRecord.CurrentSet;
import io.muster.core.GroupCommand.ShortenSession;
import io.muster.core.GroupConfigs;
import io.muster.core.GroupDraft;
import io.muster.core.Response;
import io.muster.core.TimerKey;
import java.util.Optional;

/** The session and rebalance timeouts of members. */
final class ConsumerMemberTimers {
    private ConsumerMemberTimers() {}

    static void armSession(GroupDraft draft, String memberId, int memberEpoch) {
        int timeout = Consumers.config(draft, GroupConfigs.CONSUMER_SESSION_TIMEOUT);
        draft.arm(new TimerKey(TimerKey.Kind.SESSION, memberId), timeout, memberEpoch);
    }

    /** A member that is still there sends a heartbeat within two intervals, which arms its session in full again. */
    static void answer(GroupDraft draft, int index, ShortenSession command) {
        Optional<ConsumerMember> member = Consumers.group(draft).members().find(command.memberId());
        if (member.isEmpty()) {
            draft.reply(index, ConsumerGroupValidation.unknownMember(command.groupId(), command.memberId()));
            return;
        }
        int session = Consumers.config(draft, GroupConfigs.CONSUMER_SESSION_TIMEOUT);
        int intervals = 2 * Consumers.config(draft, GroupConfigs.CONSUMER_HEARTBEAT_INTERVAL);
        draft.arm(
                new TimerKey(TimerKey.Kind.SESSION, command.memberId()),
                Math.min(session, intervals),
                member.get().epoch());
        draft.reply(index, new Response.Done());
    }

    /** Arms or cancels the rebalance timeout after a step of the member. */
    static void followStep(GroupDraft draft, ConsumerMember before, CurrentSet after) {
        if (!after.pendingRevocation().isEmpty()) {
            armRebalance(draft, before.profile().rebalanceTimeoutMillis(), after);
        } else if (!before.current().pendingRevocation().isEmpty()) {
            draft.cancel(new TimerKey(TimerKey.Kind.REBALANCE, before.id()));
        }
    }

    /** Arms all timers of a group that a new leader loaded, in full. */
    static void armAll(GroupDraft draft) {
        for (ConsumerMember member : Consumers.group(draft).members().all()) {
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
