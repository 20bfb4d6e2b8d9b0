package io.muster.core.claim;

import io.muster.core.Claim;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.CommonRecord;
import io.muster.core.GroupDraft;
import io.muster.core.InternalCommand;
import io.muster.core.LeaderMemory.ClaimProgress.Wanted;
import java.util.Optional;

/** What follows from upstream's answers to claim operations. */
final class ClaimReports {
    /** How long the claim stays aside when whoever deletes offsets does not say that it is done. */
    static final long DELETION_WINDOW_MILLIS = 5_000;

    /** That of a group whose first member is its only one. */
    private static final int FIRST_GENERATION = 1;

    /** Why a claim is lost that left for a moment by itself: the group stands open for that moment only. */
    private static final String STEPPED_ASIDE = "stepped aside while offsets are deleted";

    private ClaimReports() {}

    /** Returns whether the claim is held again after others may have had the group. */
    static boolean accept(GroupDraft draft, InternalCommand.ClaimReported report, long arrivedAtMillis) {
        if (!Optional.of(report.operation()).equals(Progress.of(draft).operation())) {
            return false;
        }
        boolean wasOpen = stoodOpen(draft, report.operation(), report.outcome());
        take(draft, report, arrivedAtMillis);
        return wasOpen;
    }

    private static boolean stoodOpen(GroupDraft draft, ClaimOperation operation, ClaimOutcome outcome) {
        Claim before = draft.group().claim();
        boolean known = before instanceof Claim.Lost lost && lost.open();
        if (outcome instanceof ClaimOutcome.Joined joined) {
            boolean inPlace = joined.inPlace() && isFirstTry(draft);
            boolean lockFell = lockedBefore(draft) && !(inPlace && isFirstGeneration(joined));
            boolean lostMeanwhile = before instanceof Claim.Lost && !steppedAside(before) && !inPlace;
            return known || lockFell || lostMeanwhile;
        }
        return outcome instanceof ClaimOutcome.Fenced fenced
                && operation instanceof ClaimOperation.Fence fence
                && !(fenced.inPlace() && isSameGeneration(fence, fenced));
    }

    /** Whether no earlier try is without an answer: the member of ours that was in place may be the one that it brought in. */
    private static boolean isFirstTry(GroupDraft draft) {
        return Progress.of(draft).trouble().failures() == 0;
    }

    /** Whether members came in on the strength of a lock that an earlier leadership saw, and that never became durable. */
    private static boolean lockedBefore(GroupDraft draft) {
        return draft.group().claim() instanceof Claim.None
                && hasMembers(draft)
                && !Progress.of(draft).locked();
    }

    /**
     * Whether nobody ever came or went but a member of ours. A member that was in place may be one that a late join of an earlier
     * leadership brought into a group that others had left. In a group that the brokers knew before Muster took it nothing tells.
     */
    private static boolean isFirstGeneration(ClaimOutcome.Joined joined) {
        return joined.identity().generation() <= FIRST_GENERATION;
    }

    /**
     * Whether nobody came or went since the replaced identity: that raises the generation, and a replacement does not. The member
     * that was replaced in place may be one that a late fence of ours brought into a group that others had left.
     */
    private static boolean isSameGeneration(ClaimOperation.Fence fence, ClaimOutcome.Fenced fenced) {
        return fence.replaced().generation() == fenced.identity().generation();
    }

    private static boolean steppedAside(Claim claim) {
        return claim instanceof Claim.Lost lost && lost.detail().equals(STEPPED_ASIDE);
    }

    private static void take(GroupDraft draft, InternalCommand.ClaimReported report, long arrivedAtMillis) {
        ClaimOutcome outcome = report.outcome();
        if (outcome instanceof ClaimOutcome.Locked) {
            locked(draft);
            return;
        }
        boolean wasLocked = Progress.of(draft).locked();
        Progress.change(draft, progress -> progress.ended());
        if (outcome instanceof ClaimOutcome.Joined joined) {
            held(draft, joined.identity(), joined.sessionTimeoutMillis());
        } else if (outcome instanceof ClaimOutcome.Fenced fenced) {
            held(draft, fenced.identity(), sessionTimeoutMillis(draft, report.operation()));
        } else if (outcome instanceof ClaimOutcome.HeartbeatOk) {
            beat(draft);
        } else if (outcome instanceof ClaimOutcome.Left) {
            left(draft);
        } else if (outcome instanceof ClaimOutcome.Absent) {
            absent(draft);
        } else if (outcome instanceof ClaimOutcome.OwnedElsewhere elsewhere) {
            ownedElsewhere(draft, elsewhere, arrivedAtMillis);
        } else if (outcome instanceof ClaimOutcome.Lost lost) {
            lost(draft, report.operation(), lost);
        } else if (outcome instanceof ClaimOutcome.Unavailable unavailable) {
            unavailable(draft, report.operation(), unavailable.detail(), wasLocked);
        }
    }

    private static void locked(GroupDraft draft) {
        // Before a lost claim is taken again, the member that upstream lists may be the one whose identity still
        // commits. One that stepped aside has left. Members that are there already came in on the strength of an
        // earlier
        // lock, which may have fallen.
        Claim claim = draft.group().claim();
        if ((claim instanceof Claim.None && !hasMembers(draft)) || steppedAside(claim)) {
            Ledger.startOver(draft);
            Progress.change(draft, progress -> progress.nowLocked());
        }
    }

    private static void held(GroupDraft draft, ClaimIdentity identity, int sessionTimeoutMillis) {
        Claim.Held held = new Claim.Held(identity, sessionTimeoutMillis);
        draft.emit(new CommonRecord.ClaimSet(held));
        Ledger.startOver(draft);
        Progress.succeeded(draft);
        if (Progress.of(draft).wanted() != Wanted.LEAVE) {
            Progress.wantNothing(draft);
        }
        Progress.change(draft, progress -> progress.withDeletion(Optional.empty()));
        Progress.armHeartbeat(draft, held);
    }

    private static int sessionTimeoutMillis(GroupDraft draft, ClaimOperation operation) {
        return operation instanceof ClaimOperation.Fence fence
                ? fence.sessionTimeoutMillis()
                : draft.context().config().retention().claimSessionTimeoutMillis();
    }

    private static void beat(GroupDraft draft) {
        Progress.succeeded(draft);
        if (draft.group().claim() instanceof Claim.Held held) {
            Progress.armHeartbeat(draft, held);
        }
    }

    /** A group that still has members stepped aside for a deletion only; an absent one had a join that went away. */
    private static void left(GroupDraft draft) {
        Progress.succeeded(draft);
        Progress.wantNothing(draft);
        Progress.cancelHeartbeat(draft);
        if (!draft.group().exists()) {
            draft.delete("");
        } else if (hasMembers(draft)) {
            draft.emit(new CommonRecord.ClaimSet(new Claim.Lost(STEPPED_ASIDE, false)));
            Progress.armRetry(draft, DELETION_WINDOW_MILLIS);
        } else {
            draft.emit(new CommonRecord.ClaimSet(new Claim.None()));
        }
    }

    /** Unless somebody came meanwhile, who takes the claim next. */
    private static void absent(GroupDraft draft) {
        boolean claimed = draft.group().claim() instanceof Claim.Held;
        if (draft.group().exists()
                && !claimed
                && !hasMembers(draft)
                && Progress.of(draft).wanted() == Wanted.NOTHING) {
            draft.delete("empty, and the brokers keep no offsets of it any more");
        }
    }

    private static void ownedElsewhere(GroupDraft draft, ClaimOutcome.OwnedElsewhere answer, long atMillis) {
        String detail = answer.detail();
        Progress.elsewhere(draft, answer, atMillis);
        Progress.wantNothing(draft);
        Progress.cancelHeartbeat(draft);
        if (hasMembers(draft)) {
            lose(draft, detail, true);
            Progress.failed(draft, detail);
        } else if (draft.group().exists() || draft.group().claim() instanceof Claim.Held) {
            draft.delete("in use on the brokers: " + detail);
        }
    }

    private static void lost(GroupDraft draft, ClaimOperation operation, ClaimOutcome.Lost lost) {
        if (operation instanceof ClaimOperation.Leave) {
            // A fence happened upstream whose report was lost: leave under the identity that the next one brings.
            Progress.change(draft, progress -> progress.wanting(Wanted.FENCE));
            return;
        }
        if (operation instanceof ClaimOperation.Heartbeat && !lost.gone()) {
            // A late fence of ours, most likely: the next one tells by the generation whether others were there, too.
            Progress.want(draft, Wanted.FENCE);
            return;
        }
        Progress.cancelHeartbeat(draft);
        if (Progress.of(draft).wanted() != Wanted.LEAVE) {
            Progress.wantNothing(draft);
        }
        if (hasMembers(draft)) {
            lose(draft, lost.detail(), lost.gone());
        } else if (draft.group().exists()) {
            draft.emit(new CommonRecord.ClaimSet(new Claim.None()));
        } else if (draft.group().claim() instanceof Claim.Held) {
            draft.delete("");
        }
    }

    private static void unavailable(GroupDraft draft, ClaimOperation operation, String detail, boolean wasLocked) {
        if (operation instanceof ClaimOperation.Heartbeat) {
            Progress.heartbeatFailed(draft, detail);
            return;
        }
        if (operation instanceof ClaimOperation.Look) {
            // Nobody waits for it: the next look comes with the timer.
            return;
        }
        Progress.failed(draft, detail);
        if (operation instanceof ClaimOperation.Fence) {
            Progress.want(draft, Wanted.FENCE);
        } else if (operation instanceof ClaimOperation.Leave) {
            Progress.want(draft, Wanted.LEAVE);
        } else if (hasMembers(draft) && steppedAside(draft.group().claim())) {
            // The moment grows long: others may come.
            lose(draft, detail, false);
        } else if (wasLocked && hasMembers(draft)) {
            lose(draft, "upstream dropped the join before it was complete: " + detail, true);
        }
    }

    private static void lose(GroupDraft draft, String detail, boolean open) {
        Claim before = draft.group().claim();
        boolean wasOpen = before instanceof Claim.Lost old && old.open();
        Claim.Lost lost = new Claim.Lost(detail, open || wasOpen);
        if (!lost.equals(before)) {
            draft.emit(new CommonRecord.ClaimSet(lost));
        }
    }

    private static boolean hasMembers(GroupDraft draft) {
        return !draft.group().typed().isEmpty();
    }
}
