package io.muster.core.claim;

import io.muster.core.Arrival;
import io.muster.core.Claim;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimRules;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.Group;
import io.muster.core.GroupCommand;
import io.muster.core.GroupDraft;
import io.muster.core.GroupError;
import io.muster.core.InternalCommand;
import io.muster.core.LeaderMemory;
import io.muster.core.LeaderMemory.ClaimProgress;
import io.muster.core.LeaderMemory.ClaimProgress.Wanted;
import io.muster.core.Response;
import io.muster.core.TimerKey;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The claim as a state machine. The log keeps whether a group is claimed and as whom; the leader's memory keeps the one operation
 * that is under way upstream, what is wanted next, and the commits in flight.
 */
public final class ClaimLogic implements ClaimRules {
    @Override
    public boolean admitsJoin(GroupDraft draft, int index, Arrival arrival) {
        if (isHeld(draft) && !isLeaving(draft)) {
            return true;
        }
        ClaimProgress progress = Progress.of(draft);
        if (progress.locked()) {
            return true;
        }
        if (progress.operation().isEmpty()
                && arrival.arrivedAtMillis() <= progress.trouble().elsewhereAtMillis()) {
            draft.refuse(index, GroupError.GROUP_ID_NOT_FOUND, ClaimMessages.elsewhere(draft, arrival.command()));
            return false;
        }
        if (!isHeld(draft)) {
            Progress.want(draft, Wanted.JOIN);
        }
        if (arrival.mayWait()) {
            draft.await(index);
        } else {
            draft.refuse(index, GroupError.COORDINATOR_NOT_AVAILABLE, ClaimMessages.notYet(draft));
        }
        return false;
    }

    @Override
    public boolean mayHandOver(GroupDraft draft, TopicPartition partition, String newOwner) {
        if (handOversKnown(draft) && !Ledger.hasCommitOfAnother(draft, partition, newOwner)) {
            return true;
        }
        if (isHeld(draft)) {
            Progress.want(draft, Wanted.FENCE);
        }
        return false;
    }

    @Override
    public boolean handOversKnown(GroupDraft draft) {
        boolean claimed = isHeld(draft) ? !isLeaving(draft) : Progress.of(draft).locked();
        return claimed && draft.memory().commits().known();
    }

    @Override
    public boolean mayKeep(GroupDraft draft) {
        return !(draft.group().claim() instanceof Claim.Lost lost && lost.open());
    }

    @Override
    public boolean admitsDelete(GroupDraft draft, int index, Arrival arrival) {
        CommitCommand.AdmitDelete delete = (CommitCommand.AdmitDelete) arrival.command();
        if (!isHeld(draft) && Progress.of(draft).operation().isEmpty()) {
            Progress.change(draft, progress -> progress.withDeletion(Optional.of(delete.admissionId())));
            Progress.armRetry(draft, ClaimReports.DELETION_WINDOW_MILLIS);
            return true;
        }
        leaveFor(draft, index, arrival);
        return false;
    }

    @Override
    public boolean accept(GroupDraft draft, int index, Arrival arrival) {
        if (arrival.command() instanceof InternalCommand.ClaimReported report) {
            return ClaimReports.accept(draft, report, arrival.arrivedAtMillis());
        }
        decide(draft, index, arrival);
        return false;
    }

    private static void decide(GroupDraft draft, int index, Arrival arrival) {
        Command command = arrival.command();
        if (command instanceof CommitCommand commit) {
            commit.accept(new Commits(draft, index, arrival));
        } else if (command instanceof GroupCommand.Delete || command instanceof GroupCommand.Release) {
            giveUp(draft, index, arrival);
        } else if (command instanceof InternalCommand.TimerFired fired) {
            fired(draft, fired.timer().kind());
        } else if (command instanceof InternalCommand.Loaded) {
            if (draft.group().claim() instanceof Claim.Held held) {
                resume(draft, held);
            }
        } else {
            throw new IllegalStateException("not about a claim: " + command);
        }
    }

    /** Decides on what is let through under the claim. */
    private record Commits(GroupDraft draft, int index, Arrival arrival) implements CommitCommand.Handler<GroupDraft> {
        @Override
        public GroupDraft on(CommitCommand.Admit admit) {
            admit(draft, index, arrival, admit);
            return draft;
        }

        @Override
        public GroupDraft on(CommitCommand.Settled settled) {
            settled(draft, index, settled);
            return draft;
        }

        @Override
        public GroupDraft on(CommitCommand.AdmitFetch fetch) {
            admitFetch(draft, index);
            return draft;
        }

        @Override
        public GroupDraft on(CommitCommand.AdmitDelete delete) {
            refuseWithoutGroup(draft, index);
            return draft;
        }
    }

    @Override
    public void conclude(GroupDraft draft) {
        ClaimProgress progress = Progress.of(draft);
        if (progress.operation().isEmpty() && !progress.retryArmed()) {
            startWanted(draft);
        }
        Progress.keepReleaseTimer(draft, isIdle(draft));
    }

    @Override
    public String describe(Group group, LeaderMemory memory) {
        return ClaimMessages.describe(group, memory);
    }

    /**
     * A new leader counts no commits of its predecessor's: it fences at once, not when somebody waits for a partition. That also
     * tells whether the claim still stands. Nobody waits for anything in an empty group: a heartbeat tells.
     */
    private static void resume(GroupDraft draft, Claim.Held held) {
        if (hasMembers(draft)) {
            Progress.want(draft, Wanted.FENCE);
        } else {
            Progress.start(draft, new ClaimOperation.Heartbeat(held.identity()));
        }
    }

    private static void startWanted(GroupDraft draft) {
        Wanted wanted = Progress.of(draft).wanted();
        if (!(draft.group().claim() instanceof Claim.Held held)) {
            if (wanted == Wanted.JOIN || hasMembers(draft)) {
                Progress.start(
                        draft,
                        new ClaimOperation.Join(
                                draft.context().config().retention().claimSessionTimeoutMillis()));
            } else {
                Progress.wantNothing(draft);
            }
            return;
        }
        OptionalLong newest = Ledger.newestAt(draft);
        if (wanted == Wanted.LEAVE && newest.isEmpty()) {
            Progress.start(draft, new ClaimOperation.Leave(held.identity()));
        } else if (wanted == Wanted.FENCE
                || (wanted == Wanted.LEAVE && Settlement.hadItsMoment(draft, newest.getAsLong()))) {
            Progress.start(draft, new ClaimOperation.Fence(held.identity(), held.sessionTimeoutMillis()));
        }
    }

    private static void admit(GroupDraft draft, int index, Arrival arrival, CommitCommand.Admit admit) {
        if (!draft.group().exists() && !admit.memberId().isEmpty()) {
            draft.reply(index, new Response.CommitRefused(GroupError.UNKNOWN_MEMBER_ID, isClaimed(draft)));
        } else if (!isClaimed(draft) && !hasMembers(draft)) {
            draft.reply(index, new Response.CommitRefused(GroupError.GROUP_ID_NOT_FOUND, false));
        } else if (MemberConnections.isSuperseded(draft, admit, arrival.arrivedAtMillis())) {
            draft.reply(index, new Response.CommitRefused(GroupError.CONNECTION_SUPERSEDED, true));
        } else if (draft.group().claim() instanceof Claim.Held && mayMissCommits(draft)) {
            Progress.want(draft, Wanted.FENCE);
            waitForClaim(draft, index, arrival);
        } else if (draft.group().claim() instanceof Claim.Held held && takesCommits(draft)) {
            OptionalLong contested = Ledger.contestedAt(draft, admit);
            if (contested.isEmpty()) {
                MemberConnections.record(draft, admit);
                Settlement.follow(draft);
                Ledger.count(draft, admit, held.identity());
                draft.reply(index, new Response.CommitAdmitted(held.identity()));
                return;
            }
            if (Settlement.hadItsMoment(draft, contested.getAsLong())) {
                Progress.want(draft, Wanted.FENCE);
            }
            waitForClaim(draft, index, arrival);
        } else {
            waitForClaim(draft, index, arrival);
        }
    }

    private static void waitForClaim(GroupDraft draft, int index, Arrival arrival) {
        if (arrival.mayWait()) {
            draft.await(index);
        } else {
            draft.reply(index, new Response.CommitRefused(GroupError.COORDINATOR_NOT_AVAILABLE, true));
        }
    }

    private static void settled(GroupDraft draft, int index, CommitCommand.Settled settled) {
        ClaimProgress progress = Progress.of(draft);
        if (Optional.of(settled.admissionId()).equals(progress.deletion())) {
            Progress.change(draft, before -> before.withDeletion(Optional.empty()));
            Progress.disarmRetry(draft);
        }
        boolean counted = Ledger.uncount(draft, settled.admissionId());
        if (counted && settled.claimRefused() && isHeld(draft)) {
            Progress.want(draft, Wanted.FENCE);
        }
        draft.reply(index, new Response.Done());
    }

    private static void admitFetch(GroupDraft draft, int index) {
        if (draft.group().exists()) {
            draft.reply(index, new Response.Done());
        } else {
            refuseWithoutGroup(draft, index);
        }
    }

    private static void refuseWithoutGroup(GroupDraft draft, int index) {
        draft.reply(index, new Response.CommitRefused(GroupError.GROUP_ID_NOT_FOUND, false));
    }

    private static void giveUp(GroupDraft draft, int index, Arrival arrival) {
        if (hasMembers(draft)) {
            draft.refuse(index, GroupError.NON_EMPTY_GROUP, "The group is not empty.");
        } else if (isHeld(draft) || Progress.of(draft).operation().isPresent()) {
            leaveFor(draft, index, arrival);
        } else {
            draft.delete(
                    arrival.command() instanceof GroupCommand.Release ? "given back to the brokers" : "on request");
            draft.reply(index, new Response.Done());
        }
    }

    /** Stops admitting, and leaves once the commits in flight are heard back. */
    private static void leaveFor(GroupDraft draft, int index, Arrival arrival) {
        if (arrival.mayWait()) {
            if (isHeld(draft) && !isOperating(draft, ClaimOperation.Leave.class)) {
                Progress.want(draft, Wanted.LEAVE);
            }
            draft.await(index);
            return;
        }
        // A commit that nobody will ever settle must not keep the claim for ever.
        Wanted instead = isHeld(draft) && !Ledger.isEmpty(draft) ? Wanted.FENCE : Wanted.NOTHING;
        Progress.change(draft, progress -> progress.wanting(instead));
        if (arrival.command() instanceof CommitCommand) {
            draft.reply(index, new Response.CommitRefused(GroupError.COORDINATOR_NOT_AVAILABLE, true));
        } else {
            draft.refuse(index, GroupError.COORDINATOR_NOT_AVAILABLE, ClaimMessages.notYet(draft));
        }
    }

    private static void fired(GroupDraft draft, TimerKey.Kind kind) {
        switch (kind) {
            case CLAIM_HEARTBEAT -> beat(draft);
            case CLAIM_RETRY -> {
                Progress.change(draft, progress -> progress.withDeletion(Optional.empty()));
                Progress.retryFired(draft);
            }
            case CLAIM_SETTLE -> Settlement.fired(draft);
            case CLAIM_RELEASE -> {
                Progress.releaseFired(draft);
                if (isIdle(draft)) {
                    giveUpIdle(draft);
                }
            }
            case CLAIM_HASTEN -> {
                // That somebody waits for commits in flight is decided on anew with what waits.
            }
            case SESSION, REBALANCE, INITIAL_DELAY, ASSIGNMENT_INTERVAL, INTERNAL_TOPICS, PATIENCE ->
                throw new IllegalStateException("not a timer of a claim: " + kind);
        }
    }

    /** The claim leaves an empty group first, so that upstream's retention runs; when that is over, the group goes too. */
    private static void giveUpIdle(GroupDraft draft) {
        if (!isHeld(draft)) {
            Progress.start(draft, new ClaimOperation.Look(draft.context().nowMillis()));
        } else if (Ledger.isEmpty(draft)) {
            Progress.want(draft, Wanted.LEAVE);
        }
    }

    /** Whether an empty group waits for its end. */
    private static boolean isIdle(GroupDraft draft) {
        ClaimProgress progress = Progress.of(draft);
        if (hasMembers(draft)) {
            return false;
        }
        return isHeld(draft)
                ? !isLeaving(draft)
                : draft.group().exists()
                        && progress.operation().isEmpty()
                        && progress.wanted() == Wanted.NOTHING
                        && progress.deletion().isEmpty();
    }

    private static void beat(GroupDraft draft) {
        if (!(draft.group().claim() instanceof Claim.Held held)) {
            return;
        }
        // What is wanted does as well, and must not be forgotten for a heartbeat.
        boolean idle =
                Progress.of(draft).operation().isEmpty() && Progress.of(draft).wanted() == Wanted.NOTHING;
        if (idle) {
            Progress.start(draft, new ClaimOperation.Heartbeat(held.identity()));
        } else {
            Progress.armHeartbeat(draft, held);
        }
    }

    /**
     * Whether members may have commits in flight that are not in the ledger: what this one would overtake, or be overtaken by, is not
     * known then. What waited when the group was forgotten comes before {@link InternalCommand.Loaded}, and before its fence.
     */
    private static boolean mayMissCommits(GroupDraft draft) {
        return hasMembers(draft) && !draft.memory().commits().known();
    }

    private static boolean takesCommits(GroupDraft draft) {
        Wanted wanted = Progress.of(draft).wanted();
        return wanted != Wanted.FENCE
                && wanted != Wanted.LEAVE
                && (Progress.of(draft).operation().isEmpty() || isOperating(draft, ClaimOperation.Heartbeat.class));
    }

    private static boolean isLeaving(GroupDraft draft) {
        return Progress.of(draft).wanted() == Wanted.LEAVE || isOperating(draft, ClaimOperation.Leave.class);
    }

    private static boolean isOperating(GroupDraft draft, Class<? extends ClaimOperation> kind) {
        return Progress.of(draft).operation().filter(kind::isInstance).isPresent();
    }

    private static boolean isHeld(GroupDraft draft) {
        return draft.group().claim() instanceof Claim.Held;
    }

    /** Held, or being taken. */
    private static boolean isClaimed(GroupDraft draft) {
        return isHeld(draft)
                || (Progress.of(draft).operation().isPresent() && !isOperating(draft, ClaimOperation.Look.class));
    }

    private static boolean hasMembers(GroupDraft draft) {
        return !draft.group().typed().isEmpty();
    }
}
