package io.muster.core.consumer;

import io.muster.core.Arrival;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.Command;
import io.muster.core.CoordinatorConfig;
import io.muster.core.Decision;
import io.muster.core.DecisionContext;
import io.muster.core.Effect;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.GroupRecord;
import io.muster.core.InternalCommand.ClaimReported;
import io.muster.core.InternalCommand.Loaded;
import io.muster.core.InternalCommand.TimerFired;
import io.muster.core.LeaderMemory;
import io.muster.core.TimerChange;
import io.muster.core.TimerKey;
import io.muster.core.TopicCatalogue;
import io.muster.core.TopicCatalogue.Absent;
import io.muster.core.TopicCatalogue.Present;
import io.muster.core.TopicInfo;
import io.muster.core.claim.ClaimLogic;
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
 * One consumer group as one leader decides on it, with the real engine and the real claim: keeps what waits, fires timers in
 * virtual time, and reports to the claim unless upstream is away.
 */
final class ConsumerStory {
    /** What one decision did. */
    record Scene(List<Arrival> arrivals, Decision decision) {}

    private record Armed(long atMillis, int epoch) {}

    static final String GROUP = "g";

    private final ClaimLogic claims = new ClaimLogic();
    private final GroupEngine engine = new GroupEngine(List.of(new ConsumerGroupLogic(claims)), claims);
    private final Map<TimerKey, Armed> timers = new HashMap<>();
    private final List<Arrival> waiting = new ArrayList<>();
    private final Deque<ClaimOperation> asked = new ArrayDeque<>();
    private final TreeMap<String, TopicCatalogue.Knowledge> topics = new TreeMap<>();
    private Group group = Group.absent(GROUP);
    private LeaderMemory memory = LeaderMemory.UNKNOWN;
    private long nowMillis = 1_000_000;
    private int identities;
    private boolean upstreamAway;

    Group group() {
        return group;
    }

    LeaderMemory memory() {
        return memory;
    }

    ConsumerGroup consumers() {
        return Consumers.group(group);
    }

    void topic(String name, int partitions) {
        topics.put(name, new Present(new TopicInfo(name, idOf(name), partitions)));
    }

    static UUID idOf(String topic) {
        return UUID.nameUUIDFromBytes(topic.getBytes(StandardCharsets.UTF_8));
    }

    void absent(String name) {
        topics.put(name, new Absent());
    }

    void forgetTopic(String name) {
        topics.remove(name);
    }

    void upstreamAway(boolean away) {
        upstreamAway = away;
    }

    /** Decides on the commands together with what waits, then on what upstream says; what waits is offered again. */
    List<Scene> decide(List<? extends Command> commands) {
        List<Scene> scenes = new ArrayList<>();
        scenes.add(once(commands));
        scenes.addAll(hearUpstream());
        return scenes;
    }

    /** Reports to the claim what was asked of upstream. */
    List<Scene> hearUpstream() {
        List<Scene> scenes = new ArrayList<>();
        while (!upstreamAway && !asked.isEmpty()) {
            ClaimOperation operation = asked.removeFirst();
            scenes.add(once(List.of(new ClaimReported(GROUP, operation, outcome(operation)))));
            if (!waiting.isEmpty()) {
                scenes.add(once(List.of()));
            }
        }
        return scenes;
    }

    /** Lets time pass, timer by timer. */
    List<Scene> pass(long millis) {
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

    /** A new leader: what the log keeps stays, the rest is forgotten. */
    List<Scene> newLeader() {
        memory = LeaderMemory.UNKNOWN;
        timers.clear();
        waiting.clear();
        asked.clear();
        return decide(List.of(new Loaded(GROUP)));
    }

    /** Ends the patience of all that waits. */
    List<Scene> losePatience() {
        waiting.replaceAll(
                arrival -> new Arrival(arrival.command(), arrival.arrivedAtMillis(), arrival.freshId(), false));
        return decide(List.of());
    }

    private Scene once(List<? extends Command> commands) {
        List<Arrival> arrivals = new ArrayList<>(waiting);
        commands.forEach(command -> arrivals.add(new Arrival(command, nowMillis, "fresh", true)));
        Decision decision = engine.decide(
                group,
                arrivals,
                new DecisionContext(nowMillis, new TopicCatalogue(topics), CoordinatorConfig.defaults("blue"), memory));
        checkFolds(decision);
        group = decision.after();
        memory = decision.memory();
        waiting.clear();
        decision.waiting().forEach(index -> waiting.add(arrivals.get(index)));
        decision.timers().forEach(this::change);
        decision.effects().forEach(effect -> asked.add(((Effect.ClaimUpstream) effect).operation()));
        return new Scene(arrivals, decision);
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
        if (operation instanceof ClaimOperation.Join join) {
            identities++;
            return new ClaimOutcome.Joined(new ClaimIdentity("claim-" + identities, 1), join.sessionTimeoutMillis());
        } else if (operation instanceof ClaimOperation.Fence) {
            identities++;
            return new ClaimOutcome.Fenced(new ClaimIdentity("claim-" + identities, 1));
        } else if (operation instanceof ClaimOperation.Heartbeat) {
            return new ClaimOutcome.HeartbeatOk();
        }
        return new ClaimOutcome.Left();
    }
}
