package io.muster.core.claim;

import io.muster.core.Claim;
import io.muster.core.GroupDraft;
import io.muster.core.LeaderMemory.ClaimProgress.Wanted;
import io.muster.core.TimerKey;
import java.util.OptionalLong;

/**
 * Commits in flight that nobody reports on: their client, its gateway or the broker may be gone. They are given a moment when
 * somebody waits for them, and a while in any case, and are then settled by a fence.
 */
final class Settlement {
    /** How long somebody waits for a commit in flight, milliseconds. */
    static final long MOMENT_MILLIS = 500;

    /** How long a commit may be in flight, milliseconds: longer than a gateway waits for a broker. */
    static final long WHILE_MILLIS = 30_000;

    private static final TimerKey HASTEN = new TimerKey(TimerKey.Kind.CLAIM_HASTEN, "");
    private static final TimerKey SETTLE = new TimerKey(TimerKey.Kind.CLAIM_SETTLE, "");

    private Settlement() {}

    /** A commit is about to be counted: if it is the only one, it is looked for in a while. */
    static void follow(GroupDraft draft) {
        if (Ledger.isEmpty(draft)) {
            draft.arm(SETTLE, WHILE_MILLIS, 0);
        }
    }

    /** Whether a commit in flight had its moment; if not, the group is looked at again when it had. */
    static boolean hadItsMoment(GroupDraft draft, long admittedAtMillis) {
        long left = admittedAtMillis + MOMENT_MILLIS - draft.context().nowMillis();
        if (left > 0) {
            draft.arm(HASTEN, left, 0);
        }
        return left <= 0;
    }

    /** Wants a fence if a commit has been in flight for too long, or looks again when that may be so. */
    static void fired(GroupDraft draft) {
        OptionalLong oldest = Ledger.oldestAt(draft);
        if (oldest.isEmpty()) {
            return;
        }
        long left = oldest.getAsLong() + WHILE_MILLIS - draft.context().nowMillis();
        if (left > 0) {
            draft.arm(SETTLE, left, 0);
        } else if (draft.group().claim() instanceof Claim.Held) {
            Progress.want(draft, Wanted.FENCE);
        }
    }
}
