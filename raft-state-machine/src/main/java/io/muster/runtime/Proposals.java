package io.muster.runtime;

import io.muster.runtime.ProposalOutcome.Judged;
import io.muster.runtime.ProposalOutcome.TooLarge;
import io.muster.runtime.ProposalOutcome.Unknown;
import io.muster.runtime.ProposalOutcome.Verdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * What a leader has in flight: numbers its entries, and sees each decision to its end, be it applied, refused by the guard, or
 * unknown. Confined to the shard's thread.
 */
final class Proposals {
    /** A decision whose records are in flight. */
    record Proposed(GroupMailbox mailbox, PendingReplies replies, RecordBatch batch) {}

    /** What the leader does about an end. */
    interface Steps {
        /** Whether the mailbox is the group's still, and not of an earlier leadership. */
        boolean isOurs(GroupMailbox mailbox);

        /** @param token the token of the entry that carried it */
        void applied(Proposed proposed, Token token);

        /** The log cannot hold what was decided; nothing of it was proposed. */
        void tooLarge(Proposed proposed, TooLarge outcome);

        /** What is known of the group is wrong or doubtful. */
        void poison(GroupMailbox mailbox);

        /** Nothing of the group is in flight any more. */
        void settled(GroupMailbox mailbox);

        /** One of these steps failed: a defect. */
        void failed(GroupMailbox mailbox, List<PendingCommand> commands, RuntimeException cause);
    }

    private final ShardPorts ports;
    private final ShardCounters counters;
    private final Executor shardThread;
    private final Steps steps;
    private long term;
    /** The term that {@link #sequence} belongs to. */
    private long sequenceTerm;

    private long sequence;

    /** @param shardThread runs what comes back from other threads */
    Proposals(ShardPorts ports, ShardCounters counters, Executor shardThread, Steps steps) {
        this.ports = ports;
        this.counters = counters;
        this.shardThread = shardThread;
        this.steps = steps;
    }

    /** A leadership begins, perhaps again in the same term: no number of a term is ever used twice. */
    void begin(long newTerm) {
        term = newTerm;
        if (sequenceTerm != newTerm) {
            sequenceTerm = newTerm;
            sequence = 0;
        }
    }

    void end() {
        term = 0;
    }

    /**
     * Proposes one entry for all of them, or several if the log cannot hold that one: at once, since decisions that fit would
     * otherwise wait for the next ones on those that do not.
     */
    void propose(List<Proposed> proposed) {
        LogEntry entry = nextEntry(proposed.stream().map(Proposed::batch).toList());
        CompletableFuture<ProposalOutcome> outcome = proposal(entry);
        if (proposed.size() > 1 && outcome.isDone() && outcome.join() instanceof TooLarge) {
            propose(proposed.subList(0, proposed.size() / 2));
            propose(proposed.subList(proposed.size() / 2, proposed.size()));
            return;
        }
        CompletableFuture<Void> unused =
                outcome.thenAccept(end -> shardThread.execute(() -> conclude(entry, proposed, end)));
    }

    /** Never completes exceptionally: a log that fails has an unknown outcome, as one that is silent has. */
    private CompletableFuture<ProposalOutcome> proposal(LogEntry entry) {
        try {
            return ports.log().propose(entry).exceptionally(failure -> new Unknown(String.valueOf(failure)));
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(new Unknown(String.valueOf(e)));
        }
    }

    /** Proposes a change of the shard itself; completes on the shard's thread, with whether it is known to be applied. */
    CompletableFuture<Boolean> change(ShardChange change) {
        LogEntry entry = nextEntry(List.of());
        return proposal(new LogEntry(entry.evalTerm(), entry.sequence(), List.of(), change))
                .thenApplyAsync(Judged.class::isInstance, shardThread);
    }

    /** Whether this node still leads; completes on any thread, never exceptionally. */
    CompletableFuture<Boolean> confirmLeadership(long confirmedTerm) {
        try {
            return ports.log().confirmLeadership(confirmedTerm).exceptionally(failure -> false);
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(false);
        }
    }

    private LogEntry nextEntry(List<RecordBatch> batches) {
        sequence++;
        counters.proposed();
        return new LogEntry(term, sequence, batches);
    }

    private void conclude(LogEntry entry, List<Proposed> proposed, ProposalOutcome outcome) {
        for (int i = 0; i < proposed.size(); i++) {
            Proposed each = proposed.get(i);
            try {
                if (term != entry.evalTerm() || !steps.isOurs(each.mailbox())) {
                    each.replies().refuse();
                } else {
                    conclude(each, entry.token(), outcome, i);
                }
            } catch (RuntimeException e) {
                steps.failed(each.mailbox(), each.replies().open(), e);
            }
        }
        if (outcome instanceof Unknown) {
            settle(entry.evalTerm(), proposed.stream().map(Proposed::mailbox).toList());
        }
    }

    /** @param position of the decision in its entry */
    private void conclude(Proposed proposed, Token token, ProposalOutcome outcome, int position) {
        GroupMailbox mailbox = proposed.mailbox();
        if (outcome instanceof Judged judged) {
            steps.settled(mailbox);
            judged(proposed, token, judged.verdicts().get(position));
        } else if (outcome instanceof TooLarge tooLarge) {
            steps.settled(mailbox);
            steps.tooLarge(proposed, tooLarge);
        } else {
            counters.unknownOutcome();
            steps.poison(mailbox);
            proposed.replies().refuse();
        }
    }

    private void judged(Proposed proposed, Token token, Verdict verdict) {
        if (verdict == Verdict.APPLIED) {
            steps.applied(proposed, token);
            return;
        }
        counters.conflict();
        steps.poison(proposed.mailbox());
        proposed.mailbox().putBack(proposed.replies().open());
    }

    /**
     * An entry whose outcome is unknown may be applied yet. Once a later one is, the guard lets it through no more: only then is
     * what the store says of these groups final, and they may be loaded again.
     */
    private void settle(long unsettledTerm, List<GroupMailbox> unsettled) {
        if (term != unsettledTerm) {
            return;
        }
        CompletableFuture<Void> unused = proposal(nextEntry(List.of()))
                .thenAccept(outcome -> shardThread.execute(() -> {
                    if (outcome instanceof Judged) {
                        settled(unsettledTerm, unsettled);
                    } else {
                        settleLater(unsettledTerm, unsettled);
                    }
                }));
    }

    private void settleLater(long unsettledTerm, List<GroupMailbox> unsettled) {
        ports.timers()
                .schedule(() -> shardThread.execute(() -> settle(unsettledTerm, unsettled)), LeaderRounds.RETRY_MILLIS);
    }

    private void settled(long settledTerm, List<GroupMailbox> mailboxes) {
        for (GroupMailbox mailbox : mailboxes) {
            if (term == settledTerm && steps.isOurs(mailbox)) {
                steps.settled(mailbox);
            }
        }
    }
}
