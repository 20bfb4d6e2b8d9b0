package io.muster.runtime;

import io.muster.core.Command;
import io.muster.core.CoordinatorConfig;
import io.muster.core.FeatureLevel;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.GroupError;
import io.muster.core.InternalCommand;
import io.muster.core.MemberHeartbeat;
import io.muster.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for all groups of one shard while this node leads it: drains what came, decides group by group, proposes one entry for
 * all that was decided, and answers after it was applied. All state is confined to the shard's thread; the public methods may be
 * called from any thread.
 */
public final class ShardLeader implements LeadershipListener {
    private static final String NOT_LEADER = "This node does not lead the group's shard.";
    private static final String NOT_BEGUN = "This node leads the group's shard and could not begin yet.";
    private static final Logger LOG = LoggerFactory.getLogger(ShardLeader.class);

    private final int shard;
    private final CoordinatorConfig config;
    private final ShardPorts ports;
    private final ShardParts parts;
    private final OwnedGroupsAnnouncer owned;
    private final LeaderRounds rounds;
    private final Proposals proposals;
    private final ShardChanges changes;
    private final DecisionRounds decisions;

    /** Raft term of this leadership, 0 while this node does not lead. */
    private long term;
    /** Whether the first change of this leadership is applied: nothing is decided before. */
    private boolean begun;

    public ShardLeader(int shard, GroupEngine engine, CoordinatorConfig config, ShardPorts ports) {
        this.shard = shard;
        this.config = config;
        this.ports = ports;
        this.parts = ShardParts.of(shard, engine, ports, this::decideAll);
        this.owned = new OwnedGroupsAnnouncer(shard, ports.announcements());
        this.rounds = new LeaderRounds(
                config,
                parts.reader(),
                ports,
                this::enqueue,
                new LeaderRounds.Visits(
                        ids -> owned.start(term, ids, parts.mailboxes().all()), this::visit, parts::deliver));
        StartedEffects effects = new StartedEffects(shard, ports, this::report);
        DecisionOutcomes outcomes = new DecisionOutcomes(parts, rounds, owned, effects);
        this.proposals = new Proposals(ports, parts.counters(), this::enqueue, outcomes);
        this.changes = new ShardChanges(ports.groups(), proposals);
        this.decisions =
                new DecisionRounds(parts, new GroupDecider(parts, engine, config, changes), proposals, outcomes);
    }

    /** Hands a command to its group; NOT_COORDINATOR if this node does not lead. Never completes exceptionally. */
    public CompletableFuture<Response> submit(Command command) {
        long now = ports.clock().monotonicMillis();
        long patienceEnds = now + config.patienceMillis();
        String freshId = needsName(command) ? ports.ids().freshId() : "";
        PendingCommand pending = new PendingCommand(command, now, patienceEnds, freshId, new CompletableFuture<>());
        enqueue(() -> receive(pending));
        return pending.answer();
    }

    /** Only a member without a name needs a random id, which takes some time to make. */
    private static boolean needsName(Command command) {
        return command instanceof MemberHeartbeat heartbeat
                && heartbeat.memberId().isEmpty();
    }

    /** A gateway's report about the topics; the caller has dropped reports of older leases. */
    public void topicsReported(TopicReport report) {
        enqueue(() -> {
            if (term != 0) {
                parts.topics()
                        .apply(report, ports.clock().monotonicMillis())
                        .forEach(groupId -> parts.deliver(new InternalCommand.TopicsChanged(groupId)));
            }
        });
    }

    /** A gateway saw topics being created: patterns may match more. */
    public void topicsCreated() {
        enqueue(() -> parts.topics().created(ports.clock().monotonicMillis()));
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
        enqueue(() -> {
            if (begun) {
                CompletableFuture<Boolean> unused = changes.raise(level).thenApply(answer::complete);
            } else {
                answer.complete(new Response.Refused(GroupError.NOT_COORDINATOR, NOT_LEADER));
            }
        });
        return answer;
    }

    /** The term that is served, 0 if none is; on the shard's thread. */
    long term() {
        return term;
    }

    /** The group as it is in memory; empty if it is not, or a change of it is on its way. On the shard's thread. */
    Optional<Group> settledGroup(String groupId) {
        return parts.mailboxes()
                .find(groupId)
                .filter(mailbox -> mailbox.isLoaded() && !mailbox.isInFlight())
                .map(GroupMailbox::group);
    }

    /** What this shard's leader did so far. */
    public ShardCounters counters() {
        return parts.counters();
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
        parts.inbox().put(task);
    }

    private void decideAll() {
        if (begun) {
            fireTimers();
            while (parts.mailboxes().hasTouched()) {
                decisions.run(term);
            }
            parts.topics().publish();
            parts.admissions().publish();
            parts.timers().scheduleLook(parts.inbox()::wakeUp);
        }
    }

    private void receive(PendingCommand pending) {
        if (term == 0) {
            pending.refuse(GroupError.NOT_COORDINATOR, NOT_LEADER);
            return;
        }
        GroupMailbox mailbox = parts.mailboxes().of(pending.command().groupId());
        mailbox.add(pending);
        parts.mailboxes().touch(mailbox);
    }

    /** Takes the outcome of what a decision started outside; any thread. */
    private void report(long decidedTerm, InternalCommand outcome) {
        enqueue(() -> {
            if (rounds.isIn(decidedTerm)) {
                parts.deliver(outcome);
            }
        });
    }

    // ---- leadership

    private void begin(long newTerm) {
        end();
        term = newTerm;
        proposals.begin(newTerm);
        parts.reader().begin();
        parts.timers().begin();
        parts.admissions().begin(newTerm);
        rounds.begin(newTerm);
        proposeFirstChange(newTerm);
    }

    /**
     * Nothing is decided, and nothing asked of upstream, before this is applied: until then what arrives waits, and if it fails it is
     * refused, and this is tried again.
     */
    private void proposeFirstChange(long ofTerm) {
        if (!rounds.isIn(ofTerm)) {
            return;
        }
        ShardChange change;
        try {
            change = firstChange();
        } catch (RuntimeException e) {
            notBegun(ofTerm, e);
            return;
        }
        CompletableFuture<Void> unused = changes.propose(change).thenAccept(applied -> {
            if (!rounds.isIn(ofTerm)) {
                return;
            }
            if (applied) {
                begun = true;
            } else {
                notBegun(ofTerm, null);
            }
        });
    }

    /** Stands in the log before everything that this leadership decides, so that no claim carries a mark that could be lost. */
    private ShardChange firstChange() {
        return new ShardChange(
                ports.groups().isNew() ? FeatureLevel.SUPPORTED : 0,
                ports.ids().freshId(),
                ports.groups().identity().isPresent() ? null : ports.founding());
    }

    private void notBegun(long ofTerm, @Nullable RuntimeException cause) {
        LOG.atWarn()
                .addKeyValue("shard", shard)
                .addKeyValue("term", ofTerm)
                .setCause(cause)
                .log("the first entry of this leadership could not be stored; it is tried again");
        parts.mailboxes().refuseAll(GroupError.COORDINATOR_NOT_AVAILABLE, NOT_BEGUN);
        rounds.later(LeaderRounds.RETRY_MILLIS, () -> proposeFirstChange(ofTerm));
    }

    private void visit(String groupId) {
        GroupMailbox mailbox = parts.mailboxes().of(groupId);
        mailbox.visited();
        parts.mailboxes().touch(mailbox);
    }

    private void end() {
        if (term == 0) {
            return;
        }
        term = 0;
        begun = false;
        rounds.end();
        proposals.end();
        parts.mailboxes().refuseAll(GroupError.NOT_COORDINATOR, NOT_LEADER);
        parts.mailboxes().clear();
        parts.timers().end();
        parts.topics().clear();
        owned.clear();
    }

    // ---- timers

    private void fireTimers() {
        for (ShardTimers.Due due : parts.timers().takeDue(this::isBusy)) {
            String groupId = due.id().groupId();
            if (due.id().isPatience()) {
                parts.mailboxes().touch(parts.mailboxes().of(groupId));
            } else {
                parts.deliver(new InternalCommand.TimerFired(groupId, due.id().key(), due.epoch()));
            }
        }
    }

    /**
     * What is in flight may prolong a session. What has arrived is no reason to wait: it is decided together with the timer, and
     * a group that always has arrivals would expire nobody.
     */
    private boolean isBusy(TimerId timer) {
        return parts.mailboxes()
                .find(timer.groupId())
                .filter(GroupMailbox::isInFlight)
                .isPresent();
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
        parts.mailboxes().all().stream()
                .filter(GroupMailbox::isLoaded)
                .forEach(mailbox -> groups.put(mailbox.groupId(), mailbox.group()));
        parts.reader().summarize(groups, summaries -> enqueue(() -> answerList(answer, askedTerm, summaries)));
    }

    private void answerList(
            CompletableFuture<List<GroupSummary>> answer, long askedTerm, List<GroupSummary> summaries) {
        CompletableFuture<Void> unused = proposals
                .confirmLeadership(askedTerm)
                .thenAccept(leads -> answer.complete(leads ? summaries : List.of()));
    }
}
