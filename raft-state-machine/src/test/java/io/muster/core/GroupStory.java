package io.muster.core;

import io.muster.core.InternalCommand.ClaimReported;
import io.muster.core.InternalCommand.Loaded;
import io.muster.core.InternalCommand.TimerFired;
import io.muster.core.TopicCatalogue.Absent;
import io.muster.core.TopicCatalogue.Present;
import io.muster.core.claim.ClaimLogic;
import io.muster.core.consumer.ConsumerGroupLogic;
import io.muster.core.streams.StreamsGroupLogic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A group as one leader decides on it. Keeps what a mailbox keeps (arrivals that wait), fires the timers that decisions arm in
 * virtual time, and reports to the claim unless upstream is away.
 */
public final class GroupStory {
    /** What one decision did. */
    public record Scene(List<Arrival> arrivals, Decision decision) {}

    private record Armed(long atMillis, int epoch) {}

    public static final String GROUP = "g";

    private final GroupEngine engine;
    private final Map<TimerKey, Armed> timers = new HashMap<>();
    private final List<Arrival> waiting = new ArrayList<>();
    private final Deque<ClaimOperation> asked = new ArrayDeque<>();
    private final TreeMap<String, TopicCatalogue.Knowledge> topics = new TreeMap<>();
    private final Deque<TargetComputation> computations = new ArrayDeque<>();
    private CoordinatorConfig config = CoordinatorConfig.defaults("blue");
    private Group group = Group.absent(GROUP);
    private LeaderMemory memory = LeaderMemory.UNKNOWN;
    private long nowMillis = 1_000_000;
    /** How far the leader's wall clock is ahead of its monotonic one; leaders differ in this. */
    private long wallAheadMillis = 1_000_000_000;

    private long topicsCreatedAtMillis = LeaderMemory.NEVER;
    private int identities;
    private Upstream upstream = Upstream.THERE;
    private boolean open = true;

    /** What the upstream cluster does with what is asked of it. */
    private enum Upstream {
        THERE,
        AWAY,
        /** It lists our member, and does not answer its join yet. */
        LOCKING
    }

    public GroupStory() {
        ClaimLogic claims = new ClaimLogic();
        this.engine = new GroupEngine(new ConsumerGroupLogic(claims), new StreamsGroupLogic(claims), claims);
    }

    public Group group() {
        return group;
    }

    public LeaderMemory memory() {
        return memory;
    }

    public void topic(String name, int partitions) {
        topic(name, partitions, PartitionRacks.UNKNOWN);
    }

    public void topic(String name, int partitions, PartitionRacks racks) {
        topics.put(name, new Present(new TopicInfo(name, idOf(name), partitions, racks)));
    }

    public static UUID idOf(String topic) {
        return UUID.nameUUIDFromBytes(topic.getBytes(StandardCharsets.UTF_8));
    }

    public void absent(String name) {
        topics.put(name, new Absent());
    }

    public void forgetTopic(String name) {
        topics.remove(name);
    }

    public void upstreamAway(boolean away) {
        upstream = away ? Upstream.AWAY : Upstream.THERE;
    }

    /** {@code away}, {@code back}, {@code locks} (lists our member and leaves its join unanswered) or {@code drops} (what was asked); {@code opens} when it has no member of ours any more. */
    public List<Scene> upstream(String what) {
        switch (what) {
            case "away", "back" -> upstreamAway(what.equals("away"));
            case "opens" -> open = true;
            case "locks" -> upstream = Upstream.LOCKING;
            case "drops" -> {
                upstream = Upstream.AWAY;
                open = true;
                return report(asked.removeFirst(), new ClaimOutcome.Unavailable("dropped"));
            }
            default -> throw new IllegalArgumentException("upstream does not do this: " + what);
        }
        return hearUpstream();
    }

    /** Decides on the commands together with what waits, then on what upstream says; what waits is offered again. */
    public List<Scene> decide(List<? extends Command> commands) {
        List<Scene> scenes = new ArrayList<>();
        scenes.add(once(commands));
        scenes.addAll(hearUpstream());
        return scenes;
    }

    /** Reports to the claim what was asked of upstream. */
    public List<Scene> hearUpstream() {
        List<Scene> scenes = new ArrayList<>();
        if (upstream == Upstream.LOCKING && asked.peekFirst() instanceof ClaimOperation.Join join) {
            upstream = Upstream.AWAY;
            open = false;
            scenes.addAll(report(join, new ClaimOutcome.Locked()));
        }
        while (upstream == Upstream.THERE && !asked.isEmpty()) {
            ClaimOperation operation = asked.removeFirst();
            scenes.addAll(report(operation, outcome(operation)));
        }
        return scenes;
    }

    private List<Scene> report(ClaimOperation operation, ClaimOutcome outcome) {
        List<Scene> scenes = new ArrayList<>();
        scenes.add(once(List.of(new ClaimReported(GROUP, operation, outcome))));
        if (!waiting.isEmpty()) {
            scenes.add(once(List.of()));
        }
        return scenes;
    }

    /** Lets time pass, timer by timer. */
    public List<Scene> pass(long millis) {
        long until = nowMillis + millis;
        List<Scene> scenes = new ArrayList<>();
        Optional<Map.Entry<TimerKey, Armed>> due = nextDue(until);
        while (due.isPresent()) {
            TimerKey key = due.get().getKey();
            Armed armed = due.get().getValue();
            timers.remove(key);
            nowMillis = Math.max(nowMillis, armed.atMillis());
            scenes.addAll(decide(List.of(new TimerFired(GROUP, key, armed.epoch()))));
            due = nextDue(until);
        }
        nowMillis = until;
        return scenes;
    }

    /** A gateway sees topics being created. */
    public void topicsAreCreated() {
        topicsCreatedAtMillis = nowMillis;
    }

    /** The leader's wall clock jumps, or a leader with another one follows; nothing else changes. */
    public void wallClockJumps(long millis) {
        wallAheadMillis += millis;
    }

    /** A new leader: what the log keeps stays, the rest is forgotten. */
    public List<Scene> newLeader() {
        memory = LeaderMemory.UNKNOWN;
        timers.clear();
        waiting.clear();
        asked.clear();
        return decide(List.of(new Loaded(GROUP)));
    }

    /** Ends the patience of all that waits. */
    public List<Scene> losePatience() {
        waiting.replaceAll(
                arrival -> new Arrival(arrival.command(), arrival.arrivedAtMillis(), arrival.freshId(), false));
        return decide(List.of());
    }

    private Scene once(List<? extends Command> commands) {
        List<Arrival> arrivals = new ArrayList<>(waiting);
        commands.forEach(command -> arrivals.add(new Arrival(command, nowMillis, "fresh", true)));
        DecisionContext context = new DecisionContext(
                nowMillis,
                nowMillis + wallAheadMillis,
                topicsCreatedAtMillis,
                new TopicCatalogue(topics),
                config,
                memory,
                FeatureLevel.SUPPORTED,
                ShardTime.NONE);
        Decision decision = engine.decide(group, arrivals, context);
        checkFolds(decision);
        group = decision.after();
        memory = decision.memory();
        waiting.clear();
        decision.waiting().forEach(index -> waiting.add(arrivals.get(index)));
        decision.timers().forEach(this::change);
        decision.effects().forEach(this::start);
        return new Scene(arrivals, decision);
    }

    private void start(Effect effect) {
        if (effect instanceof Effect.ClaimUpstream claim) {
            asked.add(claim.operation());
        } else if (effect instanceof Effect.ComputeTarget compute) {
            computations.add(compute.computation());
        }
    }

    /** Targets are computed aside from now on, whatever their size. */
    public void computeAside() {
        config = config.withLargeTargetSize(0);
    }

    /** Computes the target that was asked for first, and reports it. */
    public List<Scene> compute() {
        return decide(List.of(new InternalCommand.TargetComputed(
                GROUP, Optional.of(computations.removeFirst().compute()))));
    }

    private void checkFolds(Decision decision) {
        Group folded = group;
        for (GroupRecord record : decision.records()) {
            folded = engine.evolve(folded, record);
        }
        if (!folded.equals(decision.after())) {
            throw new AssertionError("records do not give the draft: " + decision.records());
        }
    }

    private void change(TimerChange change) {
        if (change instanceof TimerChange.Arm arm) {
            timers.put(arm.key(), new Armed(nowMillis + arm.delayMillis(), arm.epoch()));
        } else {
            timers.remove(change.key());
        }
    }

    private Optional<Map.Entry<TimerKey, Armed>> nextDue(long until) {
        return timers.entrySet().stream()
                .filter(entry -> entry.getValue().atMillis() <= until)
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .min(Comparator.<Map.Entry<TimerKey, Armed>>comparingLong(
                                entry -> entry.getValue().atMillis())
                        .thenComparing(entry -> entry.getKey().toString()));
    }

    private ClaimOutcome outcome(ClaimOperation operation) {
        if (operation instanceof ClaimOperation.Heartbeat) {
            return new ClaimOutcome.HeartbeatOk();
        } else if (operation instanceof ClaimOperation.Look) {
            return new ClaimOutcome.Absent();
        }
        boolean inPlace = !open;
        open = operation instanceof ClaimOperation.Leave;
        ClaimIdentity identity = new ClaimIdentity("claim-" + ++identities, 1);
        if (operation instanceof ClaimOperation.Join join) {
            return new ClaimOutcome.Joined(identity, join.sessionTimeoutMillis(), inPlace);
        }
        return open ? new ClaimOutcome.Left() : new ClaimOutcome.Fenced(identity, inPlace);
    }
}
