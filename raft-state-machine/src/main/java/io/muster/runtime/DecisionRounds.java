package io.muster.runtime;

import io.muster.core.Decision;
import io.muster.core.LeaderMemory;
import io.muster.runtime.Proposals.Proposed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Rounds over the groups that have something to be decided: in each, one entry for all that changed, and one confirmation of the
 * leadership for all that did not and whose answers are read. Confined to the shard's thread.
 */
final class DecisionRounds {
    private final ShardParts parts;
    private final GroupDecider decider;
    private final Proposals proposals;
    private final DecisionOutcomes outcomes;

    /** The decisions of one round: their replies are held back. */
    private record Round(long term, List<Proposed> changing, List<PendingReplies> quiet) {}

    DecisionRounds(ShardParts parts, GroupDecider decider, Proposals proposals, DecisionOutcomes outcomes) {
        this.parts = parts;
        this.decider = decider;
        this.proposals = proposals;
        this.outcomes = outcomes;
    }

    /**
     * Decides on all that the touched mailboxes hold.
     *
     * @param term that is served
     */
    void run(long term) {
        Round round = new Round(term, new ArrayList<>(), new ArrayList<>());
        for (GroupMailbox mailbox : parts.mailboxes().takeTouched()) {
            if (!mailbox.isInFlight()) {
                decide(mailbox, round);
            }
        }
        if (!round.changing().isEmpty()) {
            proposals.propose(round.changing());
        }
        if (!round.quiet().isEmpty()) {
            confirm(term, round.quiet());
        }
    }

    private void decide(GroupMailbox mailbox, Round round) {
        List<PendingCommand> commands = List.of();
        try {
            decider.load(mailbox);
            commands = mailbox.take();
            if (mailbox.hasMore()) {
                parts.mailboxes().touch(mailbox);
            }
            if (commands.isEmpty()) {
                settle(mailbox);
            } else {
                follow(mailbox, new PendingReplies(decider.decide(mailbox, commands), commands), round);
            }
            mailbox.decided();
        } catch (RuntimeException e) {
            outcomes.failed(mailbox, commands, e);
        }
    }

    /** The round takes the decision last: what it has taken is proposed or confirmed, even if something fails afterwards. */
    private void follow(GroupMailbox mailbox, PendingReplies replies, Round round) {
        Decision decision = replies.decision();
        boolean changes = !decision.records().isEmpty();
        parts.counters().decided(replies.commands().size(), !changes);
        mailbox.leaveWaiting(
                decision.waiting().stream().map(replies.commands()::get).toList(), decision.topicsNeeded());
        if (changes) {
            RecordBatch batch = new RecordBatch(mailbox.groupId(), mailbox.token(), decision.records());
            parts.topics().keepInterest(mailbox);
            mailbox.setInFlight(true);
            round.changing().add(new Proposed(mailbox, replies, batch));
            return;
        }
        if (mailbox.hasWaiting() && movesClaim(mailbox.memory(), decision.memory())) {
            parts.mailboxes().touch(mailbox);
        }
        mailbox.remember(decision.memory());
        outcomes.applyTimers(mailbox, decision);
        settle(mailbox);
        if (replies.areUnread()) {
            outcomes.release(round.term(), replies);
        } else {
            round.quiet().add(replies);
        }
    }

    /** Whether commands that wait for the claim, or for commits in flight, may find it otherwise now. */
    private static boolean movesClaim(LeaderMemory before, LeaderMemory after) {
        return !after.claim().equals(before.claim()) || !after.commits().equals(before.commits());
    }

    /** After a decision: its topics are watched, its waiting commands keep an eye on the clock, an absent group is dropped. */
    private void settle(GroupMailbox mailbox) {
        parts.topics().noteInterest(mailbox);
        parts.timers().followPatience(mailbox);
        if (mailbox.isIdleAndAbsent()) {
            parts.mailboxes().remove(mailbox);
            parts.timers().cancelAll(mailbox.groupId());
        }
    }

    private void confirm(long term, List<PendingReplies> quiet) {
        CompletableFuture<Void> unused = proposals.confirmLeadership(term).thenAccept(leads -> {
            if (leads) {
                quiet.forEach(replies -> parts.inbox().runSafely(() -> outcomes.release(term, replies)));
            } else {
                quiet.forEach(PendingReplies::refuse);
                parts.inbox().put(() -> outcomes.unconfirmed(term, quiet));
            }
        });
    }
}
