package io.muster.core.claim;

import io.muster.core.Claim;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.CoordinatorConfig;
import io.muster.core.Effect;
import io.muster.core.GroupDraft;
import io.muster.core.LeaderMemory.ClaimProgress;
import io.muster.core.LeaderMemory.ClaimProgress.Wanted;
import io.muster.core.LeaderMemory.ClaimTrouble;
import io.muster.core.TimerKey;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads and moves what a draft remembers of the claim's operations, and keeps the claim's timers in step with it. */
final class Progress {
    private static final TimerKey HEARTBEAT = new TimerKey(TimerKey.Kind.CLAIM_HEARTBEAT, "");
    private static final TimerKey RETRY = new TimerKey(TimerKey.Kind.CLAIM_RETRY, "");
    private static final TimerKey RELEASE = new TimerKey(TimerKey.Kind.CLAIM_RELEASE, "");
    private static final long FIRST_BACK_OFF_MILLIS = 100;
    private static final int MOST_DOUBLINGS = 6;

    private Progress() {}

    static ClaimProgress of(GroupDraft draft) {
        return draft.memory().claim();
    }

    static void change(GroupDraft draft, UnaryOperator<ClaimProgress> step) {
        draft.remember(draft.memory().withClaim(step.apply(of(draft))));
    }

    static void start(GroupDraft draft, ClaimOperation operation) {
        change(draft, progress -> progress.started(operation));
        draft.effect(new Effect.ClaimUpstream(draft.group().id(), operation));
    }

    /** Wants this next; giving the group up goes before all else. */
    static void want(GroupDraft draft, Wanted next) {
        if (of(draft).wanted() != Wanted.LEAVE) {
            change(draft, progress -> progress.wanting(next));
        }
    }

    static void wantNothing(GroupDraft draft) {
        change(draft, progress -> progress.wanting(Wanted.NOTHING));
    }

    static void succeeded(GroupDraft draft) {
        change(draft, progress -> progress.withTrouble(progress.trouble().withFailures(0, "")));
        disarmRetry(draft);
    }

    /** Nothing is asked of upstream for a while, the longer the more often it failed in a row. */
    static void failed(GroupDraft draft, String detail) {
        armRetry(draft, noteFailure(draft, detail));
    }

    /** A heartbeat that failed is sent again soon and keeps nothing else waiting. */
    static void heartbeatFailed(GroupDraft draft, String detail) {
        draft.arm(HEARTBEAT, noteFailure(draft, detail), 0);
    }

    private static long noteFailure(GroupDraft draft, String detail) {
        ClaimTrouble before = of(draft).trouble();
        int failures = before.failures() + 1;
        change(draft, progress -> progress.withTrouble(before.withFailures(failures, detail)));
        return FIRST_BACK_OFF_MILLIS << Math.min(failures - 1, MOST_DOUBLINGS);
    }

    static void elsewhere(GroupDraft draft, ClaimOutcome.OwnedElsewhere answer, long atMillis) {
        change(
                draft,
                progress -> progress.withTrouble(new ClaimTrouble(
                        progress.trouble().failures(), answer.detail(), atMillis, Optional.of(answer.occupants()))));
    }

    static void armRetry(GroupDraft draft, long delayMillis) {
        draft.arm(RETRY, delayMillis, 0);
        change(draft, progress -> progress.withRetryArmed(true));
    }

    static void disarmRetry(GroupDraft draft) {
        if (of(draft).retryArmed()) {
            draft.cancel(RETRY);
            change(draft, progress -> progress.withRetryArmed(false));
        }
    }

    static void retryFired(GroupDraft draft) {
        change(draft, progress -> progress.withRetryArmed(false));
    }

    static void armHeartbeat(GroupDraft draft, Claim.Held held) {
        draft.arm(HEARTBEAT, held.sessionTimeoutMillis() / 3, 0);
    }

    static void cancelHeartbeat(GroupDraft draft) {
        draft.cancel(HEARTBEAT);
    }

    /** Runs the timer of an empty group exactly while {@code idle} holds. */
    static void keepReleaseTimer(GroupDraft draft, boolean idle) {
        if (idle == of(draft).releaseArmed()) {
            return;
        }
        if (idle) {
            boolean held = draft.group().claim() instanceof Claim.Held;
            CoordinatorConfig config = draft.context().config();
            draft.arm(
                    RELEASE,
                    held
                            ? config.retention().emptyGroupReleaseMillis()
                            : config.retention().emptyGroupLookMillis(),
                    0);
        } else {
            draft.cancel(RELEASE);
        }
        change(draft, progress -> progress.withReleaseArmed(idle));
    }

    static void releaseFired(GroupDraft draft) {
        change(draft, progress -> progress.withReleaseArmed(false));
    }
}
