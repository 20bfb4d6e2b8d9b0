package io.muster.runtime;

import io.muster.core.Decision;
import io.muster.core.GroupError;
import io.muster.core.InternalCommand;
import io.muster.core.InternalCommand.TargetComputed;
import io.muster.runtime.ProposalOutcome.TooLarge;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of a group and its commands once a decision is applied, did not fit, or failed. Confined to the shard's thread. */
final class DecisionOutcomes implements Proposals.Steps {
    private static final String FAILED = "The coordinator failed to decide on the request; its log says why.";
    private static final Logger LOG = LoggerFactory.getLogger(DecisionOutcomes.class);

    private final ShardParts parts;
    private final LeaderRounds rounds;
    private final OwnedGroupsAnnouncer owned;
    private final StartedEffects effects;
    private final DecisionLog decisionLog;

    DecisionOutcomes(ShardParts parts, LeaderRounds rounds, OwnedGroupsAnnouncer owned, StartedEffects effects) {
        this.parts = parts;
        this.rounds = rounds;
        this.owned = owned;
        this.effects = effects;
        this.decisionLog = new DecisionLog(parts.shard());
    }

    @Override
    public boolean isOurs(GroupMailbox mailbox) {
        return parts.mailboxes().holds(mailbox);
    }

    @Override
    public void settled(GroupMailbox mailbox) {
        mailbox.setInFlight(false);
        parts.mailboxes().touch(mailbox);
    }

    @Override
    public void applied(Proposals.Proposed proposed, Token entry) {
        GroupMailbox mailbox = proposed.mailbox();
        Decision decision = proposed.replies().decision();
        boolean existed = mailbox.group().exists();
        mailbox.applied(decision, proposed.batch().tokenAfter(entry));
        applyTimers(mailbox, decision);
        owned.changed(entry.term(), mailbox.groupId(), existed, mailbox.group().exists());
        decisionLog.applied(decision);
        release(entry.term(), proposed.replies());
        if (mailbox.isDoubted()) {
            poison(mailbox);
        }
    }

    /** Arms and cancels what a decision that counts says; what fired before is void then. */
    void applyTimers(GroupMailbox mailbox, Decision decision) {
        parts.timers().apply(mailbox.groupId(), decision.timers());
        decision.timers().forEach(change -> mailbox.withdraw(change.key()));
    }

    /** Answers what was decided, and starts what it asks for outside. Any thread. */
    void release(long term, PendingReplies replies) {
        replies.release(effect -> effects.start(term, effect));
    }

    /**
     * What was decided for several commands together and does not fit into the log is decided in parts. One command that needs
     * that much by itself is refused, and the group stays as it was.
     */
    @Override
    public void tooLarge(Proposals.Proposed proposed, TooLarge outcome) {
        GroupMailbox mailbox = proposed.mailbox();
        List<PendingCommand> open = proposed.replies().open();
        if (open.size() > 1) {
            mailbox.split(open);
            return;
        }
        // If none is open, what waits brought the change about, and would again at once.
        List<PendingCommand> refused = open.isEmpty() ? mailbox.takeWaiting() : open;
        LOG.atWarn()
                .addKeyValue("groupId", mailbox.groupId())
                .addKeyValue("shard", parts.shard())
                .addKeyValue("bytes", outcome.bytes())
                .addKeyValue("limitBytes", outcome.limitBytes())
                .log("a decision on the group is too large for the log");
        refused.forEach(pending -> {
            pending.refuse(GroupError.INVALID_REQUEST, tooLarge(outcome));
            if (pending.command() instanceof InternalCommand command) {
                dropped(mailbox, command);
            }
        });
    }

    private static String tooLarge(TooLarge outcome) {
        return "The request changes the group by " + outcome.bytes() + " bytes at once, and the most is "
                + outcome.limitBytes() + ".";
    }

    /** Something that the leader itself brought up cannot be stored. */
    private void dropped(GroupMailbox mailbox, InternalCommand command) {
        if (command instanceof TargetComputed computed && computed.target().isPresent()) {
            LOG.atError()
                    .addKeyValue("groupId", mailbox.groupId())
                    .addKeyValue("shard", parts.shard())
                    .addKeyValue("groupEpoch", computed.target().get().groupEpoch())
                    .log("the group's target is too large for the log: its members keep what they have until the group"
                            + " changes");
            parts.deliver(new TargetComputed(mailbox.groupId(), Optional.empty()));
            return;
        }
        giveUp(mailbox); // a timer of the group, or the outcome of an effect, is among what is dropped
    }

    /** Drops the group from memory, with its timers; the next decision reloads it from the store. */
    @Override
    public void poison(GroupMailbox mailbox) {
        mailbox.forget();
        parts.timers().cancelAll(mailbox.groupId());
    }

    /** What these decisions asked of upstream was never done, though the memory says so. */
    void unconfirmed(long term, List<PendingReplies> quiet) {
        if (!rounds.isIn(term)) {
            return;
        }
        for (PendingReplies replies : quiet) {
            parts.mailboxes().find(replies.groupId()).ifPresent(mailbox -> {
                if (mailbox.isInFlight()) {
                    mailbox.doubt();
                } else {
                    poison(mailbox);
                    rounds.visitLater(mailbox.groupId());
                }
            });
        }
    }

    /** A defect, or a store that cannot be read. */
    @Override
    public void failed(GroupMailbox mailbox, List<PendingCommand> commands, RuntimeException cause) {
        parts.counters().failed();
        LOG.atError()
                .addKeyValue("groupId", mailbox.groupId())
                .addKeyValue("shard", parts.shard())
                .setCause(cause)
                .log("no decision on the group's commands");
        commands.forEach(command -> command.refuse(GroupError.COORDINATOR_NOT_AVAILABLE, FAILED));
        if (!isOurs(mailbox)) {
            return;
        }
        giveUp(mailbox);
    }

    /**
     * Refuses all that the group has in memory to do: decided again at once, it would come to the same. The group is loaded again for
     * what comes next, and visited in a while even if nothing comes, since its timers are lost.
     */
    private void giveUp(GroupMailbox mailbox) {
        poison(mailbox);
        mailbox.takeAll().forEach(command -> command.refuse(GroupError.COORDINATOR_NOT_AVAILABLE, FAILED));
        if (mailbox.failed()) {
            rounds.visitAgain(mailbox.groupId(), mailbox.failures());
        }
    }
}
