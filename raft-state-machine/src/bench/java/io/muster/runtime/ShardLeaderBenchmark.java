package io.muster.runtime;

import io.muster.core.Arrival;
import io.muster.core.Command;
import io.muster.core.CoordinatorConfig;
import io.muster.core.Decision;
import io.muster.core.DecisionContext;
import io.muster.core.Effect;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.GroupRecord;
import io.muster.core.GroupState;
import io.muster.core.LeaderMemory;
import io.muster.core.Response;
import io.muster.core.Response.ConsumerHeartbeatAnswer;
import io.muster.core.TopicCatalogue;
import io.muster.core.TopicInfo;
import io.muster.core.claim.ClaimLogic;
import io.muster.core.consumer.ConsumerGroupLogic;
import io.muster.core.streams.StreamsGroupLogic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a shard's thread spends on a consumer group, without network and disk: two partitions a member, {@code uniform}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ShardLeaderBenchmark {
    private static final String GROUP = "g";
    private static final String FIRST = "m00000";
    private static final long NOW_MILLIS = 2_000_000_000_000L;

    @Param({"3", "10000"})
    int members;

    private final ShardFixture shard = new ShardFixture();
    private final GroupEngine engine = engine();
    private Group group = Group.absent(GROUP);
    private TopicCatalogue topics = TopicCatalogue.EMPTY;
    private int epoch;

    private static GroupEngine engine() {
        ClaimLogic claims = new ClaimLogic();
        return new GroupEngine(new ConsumerGroupLogic(claims), new StreamsGroupLogic(claims), claims);
    }

    /** A stable group. */
    @Setup
    public void join() {
        shard.partitions(2 * members);
        shard.lead();
        List<CompletableFuture<Response>> joins = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            joins.add(shard.leader().submit(shard.join(GROUP, String.format("m%05d", i))));
        }
        shard.run(100);
        joins.forEach(CompletableFuture::join);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < members; i++) {
                epoch = settle(String.format("m%05d", i), epochOf(joins.get(i)));
            }
        }
        for (GroupRecord record : shard.records(GROUP)) {
            group = engine.evolve(group, record);
        }
        topics = TopicCatalogue.EMPTY.with(Map.of(
                "orders",
                new TopicCatalogue.Present(new TopicInfo("orders", new UUID(1, "orders".hashCode()), 2 * members))));
        checkThatItDoesWhatItMeasures();
    }

    private void checkThatItDoesWhatItMeasures() {
        Decision whole = join_withItsTarget();
        Decision aside = join_withTheTargetAside();
        if (group.typed().members().size() != members || group.typed().state() != GroupState.STABLE) {
            throw new IllegalStateException("not a stable group of " + members + ": "
                    + group.typed().members().size() + " " + group.typed().state());
        }
        if (whole.after().typed().assignmentEpoch() != whole.after().typed().groupEpoch()
                || aside.effects().stream().noneMatch(Effect.ComputeTarget.class::isInstance)) {
            throw new IllegalStateException("no target: " + whole.replies() + whole.waiting() + aside.effects());
        }
    }

    private static int epochOf(CompletableFuture<Response> join) {
        return ((ConsumerHeartbeatAnswer) join.join()).memberEpoch();
    }

    /** Lets a member take what it is given; returns its epoch. */
    private int settle(String memberId, int joinedAt) {
        Response answer = shard.ask(shard.join(GROUP, memberId));
        return answer instanceof ConsumerHeartbeatAnswer settled ? settled.memberEpoch() : joinedAt;
    }

    /** A heartbeat that changes nothing, from the command's arrival to its answer. */
    @Benchmark
    public boolean heartbeat() {
        CompletableFuture<Response> answer = shard.leader().submit(shard.beat(GROUP, FIRST, epoch));
        shard.run(2);
        return answer.isDone();
    }

    /** One more member joins, and the new target of all is computed within the decision. */
    @Benchmark
    public Decision join_withItsTarget() {
        return decide(CoordinatorConfig.defaults("bench").withLargeTargetSize(Long.MAX_VALUE));
    }

    /** One more member joins, and the new target is left to another thread. */
    @Benchmark
    public Decision join_withTheTargetAside() {
        return decide(CoordinatorConfig.defaults("bench").withLargeTargetSize(0));
    }

    private Decision decide(CoordinatorConfig config) {
        Command join = shard.join(GROUP, "newcomer");
        return engine.decide(
                group,
                List.of(new Arrival(join, NOW_MILLIS, "fresh", true)),
                new DecisionContext(NOW_MILLIS, topics, config, LeaderMemory.UNKNOWN));
    }
}
