package io.muster.runtime;

import io.muster.core.Claim;
import io.muster.core.Command;
import io.muster.core.CoordinatorConfig;
import io.muster.core.Decision;
import io.muster.core.DecisionContext;
import io.muster.core.Effect;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.GroupError;
import io.muster.core.GroupRecord;
import io.muster.core.InternalCommand;
import io.muster.core.Response;
import io.muster.core.TimerChange;
import io.muster.core.TimerKey;
import io.muster.runtime.ProposalOutcome.Judged;
import io.muster.runtime.ProposalOutcome.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides for all groups of one shard while this node leads it: drains what came, decides group by group, proposes one entry for
 * all that was decided, and answers after it was applied. All state is confined to the shard's thread; the public methods may be
 * called from any thread.
 */
public final class ShardLeader implements LeadershipListener {
    /** A gap between two looks at the clock beyond this was not work: the machine or the process stood still. */
    private static final long STANDSTILL_MILLIS = 2_000;

    private static final long TICK_MILLIS = 500;
    private static final String NOT_LEADER = "This node does not lead the group's shard.";
    private static final String OUTCOME_UNKNOWN = "The leadership changed while the request was under way.";

    /** A timer of a group, or the end of its commands' patience. */
    private record TimerId(String groupId, TimerKey key) {
        static final TimerKey PATIENCE = new TimerKey(TimerKey.Kind.SESSION, "\0patience");
    }

    /** A decision whose records are in flight. */
    private record Proposed(
            GroupMailbox mailbox, Decision decision, List<PendingCommand> commands, RecordBatch batch) {}

    /** A decision without records, to be released once the leadership is confirmed. */
    private record Quiet(Decision decision, List<PendingCommand> commands) {}

    private final int shard;
    private final GroupEngine engine;
    private final CoordinatorConfig config;
    private final ShardPorts ports;
    private final DecisionLog decisionLog;

    private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean drainScheduled = new AtomicBoolean();

    private final Map<String, GroupMailbox> mailboxes = new TreeMap<>();
    private final Set<GroupMailbox> touched = new LinkedHashSet<>();
    private final ShardTimers<TimerId> timers = new ShardTimers<>();
    private final TopicRegistry topics = new TopicRegistry();
    private final TopicInterest interest = new TopicInterest();
    private boolean interestChanged;
    /** Raft term of this leadership, 0 while this node does not lead. */
    private long term;

    private long sequence;
    private long lastLookMillis;
    private long wakeUpMillis = Long.MAX_VALUE;

    public ShardLeader(int shard, GroupEngine engine, CoordinatorConfig config, ShardPorts ports) {
        this.shard = shard;
        this.engine = engine;
        this.config = config;
        this.ports = ports;
        this.decisionLog = new DecisionLog(shard);
        this.lastLookMillis = ports.clock().monotonicMillis();
    }

    /** Hands a command to its group; NOT_COORDINATOR if this node does not lead. Never completes exceptionally. */
    public CompletableFuture<Response> submit(Command command) {
        long arrivedAt = ports.clock().wallMillis();
        long patienceEnds = ports.clock().monotonicMillis() + config.patienceMillis();
        PendingCommand pending =
                new PendingCommand(command, arrivedAt, patienceEnds, ports.ids().freshId(), new CompletableFuture<>());
        enqueue(() -> receive(pending));
        return pending.answer();
    }

    /** A gateway's report about the topics; the caller has dropped reports of older leases. */
    public void topicsReported(TopicReport report) {
        enqueue(() -> {
            if (term != 0) {
                topics.apply(report, ports.clock().monotonicMillis()).forEach(this::topicChanged);
            }
        });
    }

    /** All groups of the shard; empty, not an error, if this node does not lead it. */
    public CompletableFuture<List<GroupSummary>> listGroups() {
        CompletableFuture<List<GroupSummary>> answer = new CompletableFuture<>();
        enqueue(() -> answer.complete(term == 0 ? List.of() : summaries()));
        return answer;
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
        inbox.add(task);
        if (drainScheduled.compareAndSet(false, true)) {
            ports.timers().execute(this::drain);
        }
    }

    private void drain() {
        drainScheduled.set(false);
        for (Runnable task = inbox.poll(); task != null; task = inbox.poll()) {
            task.run();
        }
        if (term != 0) {
            fireTimers();
            while (!touched.isEmpty()) {
                decideTouched();
            }
            publishInterest();
            scheduleWakeUp();
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
        long now = ports.clock().monotonicMillis();
        receive(new PendingCommand(
                command, ports.clock().wallMillis(), now, ports.ids().freshId(), new CompletableFuture<>()));
    }

    private GroupMailbox mailboxOf(String groupId) {
        return mailboxes.computeIfAbsent(groupId, GroupMailbox::new);
    }

    // ---- leadership

    private void begin(long newTerm) {
        end();
        term = newTerm;
        sequence = 0;
        lastLookMillis = ports.clock().monotonicMillis();
        ports.timers().executeAside(() -> {
            SortedSet<String> ids = new TreeSet<>();
            ports.groups().forEachId(ids::add);
            enqueue(() -> adopt(newTerm, ids));
        });
    }

    /** Visits every group within a third of a session timeout, so that members whose clients died do expire. */
    private void adopt(long adoptedTerm, SortedSet<String> ids) {
        if (term != adoptedTerm) {
            return;
        }
        mailboxes.values().forEach(mailbox -> {
            if (mailbox.isLoaded() && mailbox.group().exists()) {
                ids.add(mailbox.groupId());
            }
        });
        ports.owned().ownedAtStart(shard, term, ids);
        List<String> unseen = new ArrayList<>(ids);
        unseen.removeIf(mailboxes::containsKey);
        long span = config.consumer().sessionTimeoutMillis() / 3;
        for (int i = 0; i < unseen.size(); i++) {
            String groupId = unseen.get(i);
            long delay = unseen.size() < 100 ? 0 : span * i / unseen.size();
            ports.timers().schedule(() -> enqueue(() -> visit(adoptedTerm, groupId)), delay);
        }
    }

    private void visit(long visitedTerm, String groupId) {
        if (term == visitedTerm) {
            touched.add(mailboxOf(groupId));
        }
    }

    private void end() {
        if (term == 0) {
            return;
        }
        term = 0;
        mailboxes
                .values()
                .forEach(mailbox ->
                        mailbox.takeAll().forEach(pending -> pending.refuse(GroupError.NOT_COORDINATOR, NOT_LEADER)));
        mailboxes.clear();
        touched.clear();
        timers.clear();
        topics.clear();
        interest.clear();
        interestChanged = false;
    }

    // ---- timers

    private void fireTimers() {
        long now = ports.clock().monotonicMillis();
        if (now - lastLookMillis > TICK_MILLIS + STANDSTILL_MILLIS) {
            timers.restartAll(now);
        }
        lastLookMillis = now;
        for (ShardTimers.Due<TimerId> due : timers.takeDue(now, this::isBusy)) {
            GroupMailbox mailbox = mailboxOf(due.key().groupId());
            touched.add(mailbox);
            if (!due.key().key().equals(TimerId.PATIENCE)) {
                tell(new InternalCommand.TimerFired(mailbox.groupId(), due.key().key(), due.epoch()));
            }
        }
    }

    /** A session is not over while commands that may prolong it are not decided. */
    private boolean isBusy(TimerId timer) {
        GroupMailbox mailbox = mailboxes.get(timer.groupId());
        return mailbox != null && (mailbox.isInFlight() || mailbox.hasArrivals());
    }

    private void scheduleWakeUp() {
        long now = ports.clock().monotonicMillis();
        long wanted = Math.min(Math.max(timers.nextMillis(), now + 1), now + TICK_MILLIS);
        if (wakeUpMillis > now && wakeUpMillis <= wanted) {
            return;
        }
        wakeUpMillis = wanted;
        ports.timers().schedule(() -> enqueue(() -> wokenAt(wanted)), wanted - now);
    }

    private void wokenAt(long wanted) {
        if (wakeUpMillis == wanted) {
            wakeUpMillis = Long.MAX_VALUE;
        }
    }

    private void apply(String groupId, List<TimerChange> changes) {
        long now = ports.clock().monotonicMillis();
        for (TimerChange change : changes) {
            TimerId id = new TimerId(groupId, change.key());
            if (change instanceof TimerChange.Arm arm) {
                timers.arm(id, now, arm.delayMillis(), arm.epoch());
            } else {
                timers.cancel(id);
            }
        }
    }

    // ---- decisions

    private void decideTouched() {
        List<Proposed> proposals = new ArrayList<>();
        List<Quiet> quiet = new ArrayList<>();
        List<GroupMailbox> mailboxesNow = new ArrayList<>(touched);
        touched.clear();
        for (GroupMailbox mailbox : mailboxesNow) {
            if (!mailbox.isInFlight()) {
                decide(mailbox, proposals, quiet);
            }
        }
        if (!proposals.isEmpty()) {
            propose(proposals);
        }
        if (!quiet.isEmpty()) {
            confirm(quiet);
        }
    }

    private void decide(GroupMailbox mailbox, List<Proposed> proposals, List<Quiet> quiet) {
        ensureLoaded(mailbox);
        List<PendingCommand> commands = mailbox.takeAll();
        if (commands.isEmpty()) {
            settle(mailbox);
            return;
        }
        long now = ports.clock().monotonicMillis();
        DecisionContext context =
                new DecisionContext(ports.clock().wallMillis(), topics.catalogue(), config, mailbox.memory());
        Decision decision = engine.decide(
                mailbox.group(),
                commands.stream().map(command -> command.arrival(now)).toList(),
                context);
        mailbox.leaveWaiting(decision.waiting().stream().map(commands::get).toList(), decision.topicsNeeded());
        if (decision.records().isEmpty()) {
            boolean claimMoved =
                    !decision.memory().claim().equals(mailbox.memory().claim());
            mailbox.remember(decision.memory());
            if (claimMoved && mailbox.hasWaiting()) {
                touched.add(mailbox);
            }
            apply(mailbox.groupId(), decision.timers());
            quiet.add(new Quiet(decision, commands));
            settle(mailbox);
        } else {
            mailbox.setInFlight(true);
            RecordBatch batch = new RecordBatch(mailbox.groupId(), mailbox.token(), decision.records());
            proposals.add(new Proposed(mailbox, decision, commands, batch));
            noteInterest(mailbox);
        }
    }

    private void ensureLoaded(GroupMailbox mailbox) {
        if (mailbox.isLoaded()) {
            return;
        }
        AppliedGroups.StoredGroup stored = ports.groups().load(mailbox.groupId());
        Group group = Group.absent(mailbox.groupId());
        for (GroupRecord record : stored.records()) {
            group = engine.evolve(group, record);
        }
        mailbox.load(group, stored.token());
        if (group.exists() || !(group.claim() instanceof Claim.None)) {
            PendingCommand loaded = new PendingCommand(
                    new InternalCommand.Loaded(mailbox.groupId()),
                    ports.clock().wallMillis(),
                    ports.clock().monotonicMillis(),
                    ports.ids().freshId(),
                    new CompletableFuture<>());
            mailbox.putBack(List.of(loaded));
        }
    }

    /** After a decision: its topics are watched, its waiting commands keep an eye on the clock, an absent group is dropped. */
    private void settle(GroupMailbox mailbox) {
        noteInterest(mailbox);
        TimerId patience = new TimerId(mailbox.groupId(), TimerId.PATIENCE);
        if (mailbox.hasWaiting()) {
            long now = ports.clock().monotonicMillis();
            timers.cancel(patience);
            timers.arm(patience, now, Math.max(0, mailbox.firstPatienceEnd() - now), 0);
        } else {
            timers.cancel(patience);
        }
        if (mailbox.isIdleAndAbsent()) {
            mailboxes.remove(mailbox.groupId());
            timers.cancelIf(timer -> timer.groupId().equals(mailbox.groupId()));
        }
    }

    private void confirm(List<Quiet> quiet) {
        long confirmedTerm = term;
        CompletableFuture<Void> unused = ports.log()
                .confirmLeadership(confirmedTerm)
                .thenAccept(leads -> {
                    if (leads) {
                        quiet.forEach(some -> release(confirmedTerm, some.decision(), some.commands()));
                    } else {
                        quiet.forEach(some -> refuse(some.decision(), some.commands()));
                        enqueue(() -> unconfirmed(confirmedTerm, quiet));
                    }
                });
    }

    /** What these decisions asked of upstream was never done, though the memory says so. */
    private void unconfirmed(long confirmedTerm, List<Quiet> quiet) {
        if (term != confirmedTerm) {
            return;
        }
        for (Quiet some : quiet) {
            GroupMailbox mailbox = mailboxes.get(some.decision().after().id());
            if (mailbox != null && !mailbox.isInFlight()) {
                poison(mailbox);
                touched.add(mailbox);
            }
        }
    }

    private void propose(List<Proposed> proposals) {
        sequence++;
        LogEntry entry = new LogEntry(
                term, sequence, proposals.stream().map(Proposed::batch).toList());
        CompletableFuture<Void> unused =
                ports.log().propose(entry).thenAccept(outcome -> enqueue(() -> conclude(entry, proposals, outcome)));
    }

    private void conclude(LogEntry entry, List<Proposed> proposals, ProposalOutcome outcome) {
        if (term != entry.evalTerm()) {
            proposals.forEach(proposal -> refuse(proposal.decision(), proposal.commands()));
            return;
        }
        for (int i = 0; i < proposals.size(); i++) {
            Proposed proposal = proposals.get(i);
            GroupMailbox mailbox = proposal.mailbox();
            mailbox.setInFlight(false);
            if (!(outcome instanceof Judged judged)) {
                poison(mailbox);
                refuse(proposal.decision(), proposal.commands());
            } else if (judged.verdicts().get(i) == Verdict.CONFLICT) {
                poison(mailbox);
                decideAgain(proposal);
            } else {
                applied(proposal, entry.token());
            }
            touched.add(mailbox);
        }
    }

    private void applied(Proposed proposal, Token entry) {
        GroupMailbox mailbox = proposal.mailbox();
        boolean existed = mailbox.group().exists();
        mailbox.applied(proposal.decision(), proposal.batch().tokenAfter(entry));
        apply(mailbox.groupId(), proposal.decision().timers());
        boolean exists = mailbox.group().exists();
        if (existed && !exists) {
            ports.owned().disowned(shard, term, mailbox.groupId());
        } else if (exists && !existed) {
            ports.owned().owned(shard, term, mailbox.groupId());
        }
        decisionLog.applied(proposal.decision());
        release(term, proposal.decision(), proposal.commands());
    }

    /** What is known of the group may be wrong: it is loaded again before the next decision. */
    private void poison(GroupMailbox mailbox) {
        mailbox.forget();
        timers.cancelIf(timer -> timer.groupId().equals(mailbox.groupId()));
    }

    /** Nothing was applied, so every command of the decision is as good as new. */
    private static void decideAgain(Proposed proposal) {
        List<PendingCommand> open = new ArrayList<>(proposal.commands());
        open.removeAll(proposal.decision().waiting().stream()
                .map(proposal.commands()::get)
                .toList());
        proposal.mailbox().putBack(open);
    }

    private void release(long decidedTerm, Decision decision, List<PendingCommand> commands) {
        decision.replies().forEach(reply -> commands.get(reply.arrival()).answer(reply.response()));
        for (Effect effect : decision.effects()) {
            if (effect instanceof Effect.ClaimUpstream claim) {
                startClaim(decidedTerm, claim);
            }
        }
    }

    private static void refuse(Decision decision, List<PendingCommand> commands) {
        decision.replies()
                .forEach(reply -> commands.get(reply.arrival()).refuse(GroupError.NOT_COORDINATOR, OUTCOME_UNKNOWN));
    }

    private void startClaim(long decidedTerm, Effect.ClaimUpstream claim) {
        ports.claims()
                .start(
                        claim.groupId(),
                        claim.operation(),
                        outcome -> enqueue(() -> {
                            if (term == decidedTerm) {
                                tell(new InternalCommand.ClaimReported(claim.groupId(), claim.operation(), outcome));
                            }
                        }));
    }

    // ---- topics and lists

    private void topicChanged(String name) {
        for (String groupId : interest.groupsInterestedIn(name)) {
            tell(new InternalCommand.TopicsChanged(groupId));
        }
    }

    private void noteInterest(GroupMailbox mailbox) {
        interestChanged |= interest.set(mailbox.groupId(), mailbox.interest());
    }

    private void publishInterest() {
        if (interestChanged) {
            interestChanged = false;
            ports.topics().watch(interest.topics());
        }
    }

    private List<GroupSummary> summaries() {
        List<GroupSummary> summaries = new ArrayList<>();
        SortedSet<String> ids = new TreeSet<>(mailboxes.keySet());
        ports.groups().forEachId(ids::add);
        for (String groupId : ids) {
            GroupMailbox mailbox = mailboxOf(groupId);
            ensureLoaded(mailbox);
            Group group = mailbox.group();
            group.typed()
                    .type()
                    .ifPresent(type -> summaries.add(new GroupSummary(
                            groupId,
                            type,
                            group.typed().state(),
                            group.typed().groupEpoch(),
                            group.typed().memberIds().size())));
            if (mailbox.hasArrivals()) {
                touched.add(mailbox);
            }
        }
        return summaries;
    }
}
