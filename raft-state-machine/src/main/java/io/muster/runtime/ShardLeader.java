package io.muster.runtime;

import io.muster.core.Claim;
import io.muster.core.Command;
import io.muster.core.CoordinatorConfig;
import io.muster.core.Decision;
import io.muster.core.DecisionContext;
import io.muster.core.Effect;
import io.muster.core.FeatureLevel;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.GroupError;
import io.muster.core.InternalCommand;
import io.muster.core.LeaderMemory;
import io.muster.core.Response;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for all groups of one shard while this node leads it: drains what came, decides group by group, proposes one entry for
 * all that was decided, and answers after it was applied. All state is confined to the shard's thread; the public methods may be
 * called from any thread.
 */
public final class ShardLeader implements LeadershipListener {
    private static final String NOT_LEADER = "This node does not lead the group's shard.";
    private static final String NOT_RAISED = "The feature level is not raised yet; it may be later.";
    private static final String FAILED = "The coordinator failed to decide on the request; its log says why.";
    private static final Logger LOG = LoggerFactory.getLogger(ShardLeader.class);

    private final int shard;
    private final GroupEngine engine;
    private final CoordinatorConfig config;
    private final ShardPorts ports;
    private final DecisionLog decisionLog;
    private final GroupReader reader;
    private final OwnedGroupsAnnouncer owned;
    private final StartedEffects effects;
    private final LeaderRounds rounds;
    private final Proposals proposals;

    private final ShardInbox inbox;
    private final Map<String, GroupMailbox> mailboxes = new TreeMap<>();
    private final Set<GroupMailbox> touched = new LinkedHashSet<>();
    private final GroupTimers timers;
    private final ShardCounters counters = new ShardCounters();
    private final ShardTopics topics;
    private long topicsCreatedAtMillis = LeaderMemory.NEVER;
    /** Raft term of this leadership, 0 while this node does not lead. */
    private long term;
    /** What the cluster has agreed to write; 0 if it has to be read first. */
    private int featureLevel;

    public ShardLeader(int shard, GroupEngine engine, CoordinatorConfig config, ShardPorts ports) {
        this.shard = shard;
        this.engine = engine;
        this.config = config;
        this.ports = ports;
        this.decisionLog = new DecisionLog(shard);
        this.reader = new GroupReader(shard, engine, ports);
        this.owned = new OwnedGroupsAnnouncer(shard, ports.owned());
        this.effects = new StartedEffects(shard, ports);
        this.timers = new GroupTimers(ports.clock(), ports.timers(), () -> enqueue(() -> {}));
        this.topics = new ShardTopics(ports.topics());
        this.inbox = new ShardInbox(shard, ports.timers(), counters, this::decideAll);
        this.rounds = new LeaderRounds(
                config,
                reader,
                ports,
                this::enqueue,
                new LeaderRounds.Steps(ids -> owned.start(term, ids, mailboxes.values()), this::visit, this::tell));
        this.proposals = new Proposals(ports, counters, this::enqueue, new Proposals.Steps() {
            @Override
            public boolean isOurs(GroupMailbox mailbox) {
                return mailboxes.get(mailbox.groupId()) == mailbox;
            }

            @Override
            public void applied(Proposals.Proposed proposed, Token token) {
                ShardLeader.this.applied(proposed, token);
            }

            @Override
            public void tooLarge(Proposals.Proposed proposed, ProposalOutcome.TooLarge outcome) {
                ShardLeader.this.tooLarge(proposed, outcome);
            }

            @Override
            public void poison(GroupMailbox mailbox) {
                ShardLeader.this.poison(mailbox);
            }

            @Override
            public void settled(GroupMailbox mailbox) {
                mailbox.setInFlight(false);
                touched.add(mailbox);
            }
        });
    }

    /** Hands a command to its group; NOT_COORDINATOR if this node does not lead. Never completes exceptionally. */
    public CompletableFuture<Response> submit(Command command) {
        long now = ports.clock().monotonicMillis();
        long patienceEnds = now + config.patienceMillis();
        PendingCommand pending =
                new PendingCommand(command, now, patienceEnds, ports.ids().freshId(), new CompletableFuture<>());
        enqueue(() -> receive(pending));
        return pending.answer();
    }

    /** A gateway's report about the topics; the caller has dropped reports of older leases. */
    public void topicsReported(TopicReport report) {
        enqueue(() -> {
            if (term != 0) {
                topics.apply(report, ports.clock().monotonicMillis())
                        .forEach(groupId -> tell(new InternalCommand.TopicsChanged(groupId)));
            }
        });
    }

    /** A gateway saw topics being created: patterns may match more. */
    public void topicsCreated() {
        enqueue(() -> topicsCreatedAtMillis = ports.clock().monotonicMillis());
    }

    /** All groups of the shard by id; empty, not an error, if this node does not lead it. Never completes exceptionally. */
    public CompletableFuture<List<GroupSummary>> listGroups() {
        CompletableFuture<List<GroupSummary>> answer = new CompletableFuture<>();
        enqueue(() -> list(answer));
        return answer;
    }

    /**
     * Raises the shard to a feature level that every node knows; answered with {@link Response.Done} once it is applied, also if
     * the level was there already. Never completes exceptionally.
     */
    public CompletableFuture<Response> raiseFeatureLevel(int level) {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        enqueue(() -> raiseFeatureLevel(level, answer));
        return answer;
    }

    private void raiseFeatureLevel(int level, CompletableFuture<Response> answer) {
        if (term == 0) {
            answer.complete(new Response.Refused(GroupError.NOT_COORDINATOR, NOT_LEADER));
            return;
        }
        if (level < FeatureLevel.FIRST || level > FeatureLevel.SUPPORTED) {
            answer.complete(new Response.Refused(
                    GroupError.INVALID_REQUEST, "This node knows no feature level " + level + "."));
            return;
        }
        CompletableFuture<Void> unused = raise(level).thenRun(() -> {
            boolean raised = ports.groups().featureLevel() >= level;
            answer.complete(
                    raised ? new Response.Done() : new Response.Refused(GroupError.NOT_COORDINATOR, NOT_RAISED));
        });
    }

    private CompletableFuture<Void> raise(int level) {
        return change(ShardChange.raise(level));
    }

    private CompletableFuture<Void> change(ShardChange change) {
        return proposals.change(change).thenRun(() -> featureLevel = 0);
    }

    /** The term that is served, 0 if none is; on the shard's thread. */
    long term() {
        return term;
    }

    /** The group as it is in memory; empty if it is not, or a change of it is on its way. On the shard's thread. */
    Optional<Group> settledGroup(String groupId) {
        GroupMailbox mailbox = mailboxes.get(groupId);
        return mailbox == null || !mailbox.isLoaded() || mailbox.isInFlight()
                ? Optional.empty()
                : Optional.of(mailbox.group());
    }

    /** What this shard's leader did so far. */
    public ShardCounters counters() {
        return counters;
    }

    @Override
    public void leaderReady(long newTerm) {
        enqueue(() -> begin(newTerm));
    }

    @Override
    public void leaderLost() {
        enqueue(this::end);
    }

    private void enqueue(Runnable task) {
        inbox.put(task);
    }

    private void decideAll() {
        if (term != 0) {
            fireTimers();
            while (!touched.isEmpty()) {
                decideTouched();
            }
            topics.publish();
            timers.scheduleLook(() -> enqueue(() -> {}));
        }
    }

    private void receive(PendingCommand pending) {
        if (term == 0) {
            pending.refuse(GroupError.NOT_COORDINATOR, NOT_LEADER);
            return;
        }
        GroupMailbox mailbox = mailboxOf(pending.command().groupId());
        mailbox.add(pending);
        touched.add(mailbox);
    }

    private void tell(InternalCommand command) {
        receive(pending(command));
    }

    private PendingCommand pending(InternalCommand command) {
        long now = ports.clock().monotonicMillis();
        return new PendingCommand(command, now, now, ports.ids().freshId(), new CompletableFuture<>());
    }

    private GroupMailbox mailboxOf(String groupId) {
        return mailboxes.computeIfAbsent(groupId, GroupMailbox::new);
    }

    // ---- leadership

    private void begin(long newTerm) {
        end();
        term = newTerm;
        proposals.begin(newTerm);
        featureLevel = 0;
        timers.begin();
        CompletableFuture<Void> unused = change(firstChange());
        rounds.begin(newTerm);
    }

    /** Stands in the log before everything that this leadership decides, so that no claim carries a mark that could be lost. */
    private ShardChange firstChange() {
        return new ShardChange(
                ports.groups().isNew() ? FeatureLevel.SUPPORTED : 0,
                ports.ids().freshId(),
                ports.groups().identity().isPresent() ? null : ports.founding());
    }

    private void visit(String groupId) {
        GroupMailbox mailbox = mailboxOf(groupId);
        mailbox.visited();
        touched.add(mailbox);
    }

    private void end() {
        if (term == 0) {
            return;
        }
        term = 0;
        rounds.end();
        proposals.end();
        mailboxes
                .values()
                .forEach(mailbox ->
                        mailbox.takeAll().forEach(pending -> pending.refuse(GroupError.NOT_COORDINATOR, NOT_LEADER)));
        mailboxes.clear();
        touched.clear();
        timers.end();
        topics.clear();
        owned.clear();
    }

    // ---- timers

    private void fireTimers() {
        for (ShardTimers.Due due : timers.takeDue(this::isBusy)) {
            GroupMailbox mailbox = mailboxOf(due.id().groupId());
            touched.add(mailbox);
            if (!due.id().isPatience()) {
                tell(new InternalCommand.TimerFired(mailbox.groupId(), due.id().key(), due.epoch()));
            }
        }
    }

    /**
     * What is in flight may prolong a session. What has arrived is no reason to wait: it is decided together with the timer, and
     * a group that always has arrivals would expire nobody.
     */
    private boolean isBusy(TimerId timer) {
        GroupMailbox mailbox = mailboxes.get(timer.groupId());
        return mailbox != null && mailbox.isInFlight();
    }

    // ---- decisions

    private void decideTouched() {
        List<Proposals.Proposed> proposed = new ArrayList<>();
        List<PendingReplies> quiet = new ArrayList<>();
        List<GroupMailbox> mailboxesNow = new ArrayList<>(touched);
        touched.clear();
        for (GroupMailbox mailbox : mailboxesNow) {
            if (!mailbox.isInFlight()) {
                decide(mailbox, proposed, quiet);
            }
        }
        if (!proposed.isEmpty()) {
            proposals.propose(proposed);
        }
        if (!quiet.isEmpty()) {
            confirm(quiet);
        }
    }

    private void decide(GroupMailbox mailbox, List<Proposals.Proposed> proposed, List<PendingReplies> quiet) {
        List<PendingCommand> commands = List.of();
        try {
            ensureLoaded(mailbox);
            commands = mailbox.take();
            if (mailbox.hasArrivals()) {
                touched.add(mailbox);
            }
            if (commands.isEmpty()) {
                settle(mailbox);
            } else {
                follow(mailbox, new PendingReplies(decision(mailbox, commands), commands), proposed, quiet);
            }
            mailbox.decided();
        } catch (RuntimeException e) {
            failed(mailbox, commands, e);
        }
    }

    private Decision decision(GroupMailbox mailbox, List<PendingCommand> commands) {
        if (featureLevel == 0) {
            featureLevel = ports.groups().featureLevel();
        }
        long now = ports.clock().monotonicMillis();
        DecisionContext context = new DecisionContext(
                now,
                ports.clock().wallMillis(),
                topicsCreatedAtMillis,
                topics.catalogue(),
                config,
                mailbox.memory(),
                featureLevel);
        return engine.decide(
                mailbox.group(),
                commands.stream().map(command -> command.arrival(now)).toList(),
                context);
    }

    private void follow(
            GroupMailbox mailbox,
            PendingReplies replies,
            List<Proposals.Proposed> proposed,
            List<PendingReplies> quiet) {
        Decision decision = replies.decision();
        boolean changes = !decision.records().isEmpty();
        counters.decided(replies.commands().size(), !changes);
        mailbox.leaveWaiting(
                decision.waiting().stream().map(replies.commands()::get).toList(), decision.topicsNeeded());
        if (changes) {
            requireAgreed(decision);
            mailbox.setInFlight(true);
            RecordBatch batch = new RecordBatch(mailbox.groupId(), mailbox.token(), decision.records());
            proposed.add(new Proposals.Proposed(mailbox, replies, batch));
            topics.keepInterest(mailbox);
            return;
        }
        boolean moved = mailbox.hasWaiting() && movesClaim(mailbox.memory(), decision.memory());
        mailbox.remember(decision.memory());
        if (moved) {
            touched.add(mailbox);
        }
        timers.apply(mailbox.groupId(), decision.timers());
        quiet.add(replies);
        settle(mailbox);
    }

    /** Whether commands that wait for the claim, or for commits in flight, may find it otherwise now. */
    private static boolean movesClaim(LeaderMemory before, LeaderMemory after) {
        return !after.claim().equals(before.claim()) || !after.commits().equals(before.commits());
    }

    /** Nothing is written that a node of the agreed level could not read. */
    private void requireAgreed(Decision decision) {
        decision.records().forEach(record -> {
            if (FeatureLevel.of(record) > featureLevel) {
                throw new IllegalStateException("feature level " + featureLevel + " has no " + record);
            }
        });
    }

    /**
     * A defect, or a store that cannot be read: nothing was decided, and the group is loaded again for what comes next. It is
     * visited in a while even if nothing comes, since its timers are lost.
     */
    private void failed(GroupMailbox mailbox, List<PendingCommand> commands, RuntimeException cause) {
        counters.failed();
        LOG.atError()
                .addKeyValue("groupId", mailbox.groupId())
                .addKeyValue("shard", shard)
                .setCause(cause)
                .log("no decision on the group's commands");
        poison(mailbox);
        List<PendingCommand> refused = new ArrayList<>(commands);
        refused.addAll(mailbox.takeAll());
        refused.forEach(command -> command.refuse(GroupError.COORDINATOR_NOT_AVAILABLE, FAILED));
        if (mailbox.failed()) {
            rounds.visitAgain(mailbox.groupId(), mailbox.failures());
        }
    }

    private void ensureLoaded(GroupMailbox mailbox) {
        if (mailbox.isLoaded()) {
            return;
        }
        reader.load(mailbox);
        Group group = mailbox.group();
        if (group.exists() || !(group.claim() instanceof Claim.None)) {
            mailbox.putBack(List.of(pending(new InternalCommand.Loaded(mailbox.groupId()))));
        }
    }

    /** After a decision: its topics are watched, its waiting commands keep an eye on the clock, an absent group is dropped. */
    private void settle(GroupMailbox mailbox) {
        topics.noteInterest(mailbox);
        timers.followPatience(mailbox);
        if (mailbox.isIdleAndAbsent()) {
            mailboxes.remove(mailbox.groupId());
            timers.cancelAll(mailbox.groupId());
        }
    }

    private void confirm(List<PendingReplies> quiet) {
        long confirmedTerm = term;
        CompletableFuture<Void> unused = ports.log()
                .confirmLeadership(confirmedTerm)
                .thenAccept(leads -> {
                    if (leads) {
                        quiet.forEach(replies ->
                                inbox.runSafely(() -> replies.release(effect -> start(confirmedTerm, effect))));
                    } else {
                        quiet.forEach(PendingReplies::refuse);
                        enqueue(() -> unconfirmed(confirmedTerm, quiet));
                    }
                });
    }

    /** What these decisions asked of upstream was never done, though the memory says so. */
    private void unconfirmed(long confirmedTerm, List<PendingReplies> quiet) {
        if (term != confirmedTerm) {
            return;
        }
        for (PendingReplies replies : quiet) {
            GroupMailbox mailbox = mailboxes.get(replies.groupId());
            if (mailbox != null && mailbox.isInFlight()) {
                mailbox.doubt();
            } else if (mailbox != null) {
                poison(mailbox);
                rounds.visitLater(mailbox.groupId());
            }
        }
    }

    private void applied(Proposals.Proposed proposal, Token entry) {
        GroupMailbox mailbox = proposal.mailbox();
        Decision decision = proposal.replies().decision();
        boolean existed = mailbox.group().exists();
        mailbox.applied(decision, proposal.batch().tokenAfter(entry));
        timers.apply(mailbox.groupId(), decision.timers());
        owned.changed(term, mailbox.groupId(), existed, mailbox.group().exists());
        decisionLog.applied(decision);
        long appliedTerm = term;
        proposal.replies().release(effect -> start(appliedTerm, effect));
        if (mailbox.isDoubted()) {
            poison(mailbox);
        }
    }

    /**
     * What was decided for several commands together and does not fit into the log is decided in two steps. One command that needs
     * that much by itself is refused, and the group stays as it was.
     */
    private void tooLarge(Proposals.Proposed proposed, ProposalOutcome.TooLarge outcome) {
        GroupMailbox mailbox = proposed.mailbox();
        List<PendingCommand> open = proposed.replies().open();
        if (open.size() > 1) {
            mailbox.putBack(open);
            mailbox.takeAtMost(open.size() / 2);
            return;
        }
        LOG.atWarn()
                .addKeyValue("groupId", mailbox.groupId())
                .addKeyValue("shard", shard)
                .addKeyValue("bytes", outcome.bytes())
                .addKeyValue("limitBytes", outcome.limitBytes())
                .log("a decision on the group is too large for the log");
        open.forEach(command -> command.refuse(GroupError.INVALID_REQUEST, tooLarge(outcome)));
        if (open.stream().anyMatch(command -> command.command() instanceof InternalCommand)) {
            poison(mailbox); // a timer of the group may be among what is dropped
            rounds.visitLater(mailbox.groupId());
        }
    }

    private static String tooLarge(ProposalOutcome.TooLarge outcome) {
        return "The request changes the group by " + outcome.bytes() + " bytes at once, and the most is "
                + outcome.limitBytes() + ".";
    }

    /** What is known of the group may be wrong: it is loaded again before the next decision. */
    private void poison(GroupMailbox mailbox) {
        mailbox.forget();
        timers.cancelAll(mailbox.groupId());
    }

    private void start(long decidedTerm, Effect effect) {
        effects.start(
                effect,
                outcome -> enqueue(() -> {
                    if (term == decidedTerm) {
                        tell(outcome);
                    }
                }));
    }

    // ---- lists

    /** Groups that are not in memory are read aside: a list must not hold up the heartbeats. */
    private void list(CompletableFuture<List<GroupSummary>> answer) {
        long askedTerm = term;
        if (askedTerm == 0) {
            answer.complete(List.of());
            return;
        }
        SortedMap<String, Group> groups = new TreeMap<>();
        mailboxes.values().stream()
                .filter(GroupMailbox::isLoaded)
                .forEach(mailbox -> groups.put(mailbox.groupId(), mailbox.group()));
        reader.summarize(groups, summaries -> enqueue(() -> answerList(answer, askedTerm, summaries)));
    }

    private void answerList(
            CompletableFuture<List<GroupSummary>> answer, long askedTerm, List<GroupSummary> summaries) {
        CompletableFuture<Void> unused = ports.log()
                .confirmLeadership(askedTerm)
                .thenAccept(leads -> answer.complete(leads ? summaries : List.of()));
    }
}
