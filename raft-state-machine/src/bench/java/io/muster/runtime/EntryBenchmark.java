package io.muster.runtime;

import io.muster.core.MemberProfile;
import io.muster.codec.LogEntryCodec;
import io.muster.core.Arrival;
import io.muster.core.Claim;
import io.muster.core.ClaimIdentity;
import io.muster.core.CommonRecord;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.ConsumerGroupRecord;
import io.muster.core.CoordinatorConfig;
import io.muster.core.Decision;
import io.muster.core.DecisionContext;
import io.muster.core.Group;
import io.muster.core.GroupEngine;
import io.muster.core.GroupRecord;
import io.muster.core.LeaderMemory;
import io.muster.core.Partitions;
import io.muster.core.TopicCatalogue;
import io.muster.core.TopicInfo;
import io.muster.core.claim.ClaimLogic;
import io.muster.core.consumer.ConsumerGroupLogic;
import io.muster.core.streams.StreamsGroupLogic;
import io.muster.raft.EntryApplier;
import io.muster.storage.AppliedIndex;
import io.muster.storage.ShardStore;
import io.muster.storage.StoreBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
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

/** What an entry costs the leader that encodes it and each node that applies it, without network and disk. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EntryBenchmark {
    private static final String GROUP = "payments-processor";
    private static final int MEMBERS = 10_000;
    private static final long NOW_MILLIS = 2_000_000_000_000L;

    /** What it holds: one join into a group of 10,000, or 10,000 joins with their assignments. */
    @Param({"one join", "all joins"})
    String content;

    private static final TopicInfo TOPIC = new TopicInfo("orders", new UUID(1, 7), 2 * MEMBERS);

    private final GroupEngine engine = engine();
    private final ShardFixture shard = new ShardFixture();
    private LogEntry entry = new LogEntry(1, 1, List.of());
    private byte[] bytes = {};

    /** Decides on the join. */
    @Setup
    public void decide() {
        List<GroupRecord> all = joined();
        Group group = Group.absent(GROUP);
        for (GroupRecord record : all) {
            group = engine.evolve(group, record);
        }
        List<GroupRecord> records =
                content.startsWith("one") ? decide(group).records() : all;
        entry = new LogEntry(1, 1, List.of(new RecordBatch(GROUP, Token.NONE, records)));
        bytes = LogEntryCodec.encode(entry);
        if (records.isEmpty()) {
            throw new IllegalStateException("nothing was decided");
        }
        System.out.printf("%s: %d records, %d bytes%n", content, records.size(), bytes.length);
    }

    private static GroupEngine engine() {
        ClaimLogic claims = new ClaimLogic();
        return new GroupEngine(new ConsumerGroupLogic(claims), new StreamsGroupLogic(claims), claims);
    }

    /** A group in which each member has its two partitions. */
    private List<GroupRecord> joined() {
        List<GroupRecord> records = new ArrayList<>();
        records.add(new ConsumerGroupRecord.GroupSet(1, 1, NOW_MILLIS));
        records.add(new CommonRecord.ClaimSet(new Claim.Held(new ClaimIdentity("claim", 1), 1_800_000)));
        records.add(new CommonRecord.TopicBasisSet(new TreeMap<>(Map.of(TOPIC.name(), TOPIC))));
        for (int i = 0; i < MEMBERS; i++) {
            ConsumerHeartbeat join = join(i);
            Partitions<UUID> two = Partitions.copyOf(Map.of(TOPIC.id(), List.of(2 * i, 2 * i + 1)));
            records.add(new ConsumerGroupRecord.MemberSet(new MemberProfile.Details(join.memberId(), null, null, join.client(), 300_000), List.of(TOPIC.name()), "", null));
            records.add(new ConsumerGroupRecord.TargetSet(join.memberId(), two));
            records.add(new ConsumerGroupRecord.CurrentSet(
                    join.memberId(), 1, 0, two, Partitions.none(), new TreeMap<>(Map.of(1, two))));
        }
        return records;
    }

    private ConsumerHeartbeat join(int number) {
        return shard.join(GROUP, String.format("3c1f9a52-77de-4b6c-8a1e-%012d", number));
    }

    private Decision decide(Group group) {
        TopicCatalogue topics = TopicCatalogue.EMPTY.with(Map.of(TOPIC.name(), new TopicCatalogue.Present(TOPIC)));
        CoordinatorConfig config = CoordinatorConfig.defaults("bench").withLargeTargetSize(Long.MAX_VALUE);
        return engine.decide(
                group,
                List.of(new Arrival(join(MEMBERS), NOW_MILLIS, "fresh", true)),
                new DecisionContext(NOW_MILLIS, topics, config, LeaderMemory.UNKNOWN));
    }

    /** On the leader, once. */
    @Benchmark
    public byte[] encode() {
        return LogEntryCodec.encode(entry);
    }

    /** On the leader, once: whether all nodes can read it. */
    @Benchmark
    public byte[] check() {
        LogEntryCodec.requireReadable(bytes);
        return bytes;
    }

    /** On each node: from the log's bytes to the batch that the store writes. */
    @Benchmark
    public Object apply() {
        return new EntryApplier(new Discarding()).apply(new AppliedIndex(1, 1), LogEntryCodec.decode(bytes));
    }

    /** Writes nothing, and is empty. */
    private record Discarding() implements ShardStore {
        @Override
        public Optional<byte[]> get(byte[] key) {
            return Optional.empty();
        }

        @Override
        public void scan(byte[] prefix, EntryVisitor visitor) {}

        @Override
        public void scanFrom(byte[] prefix, byte[] from, EntryVisitor visitor) {}

        @Override
        public void apply(StoreBatch batch, AppliedIndex applied) {
            if (batch.isEmpty()) {
                throw new IllegalStateException("the guard does not let it through");
            }
        }

        @Override
        public AppliedIndex appliedIndex() {
            return AppliedIndex.NONE;
        }

        @Override
        public AppliedIndex checkpoint(Path directory) {
            throw new UnsupportedOperationException();
        }

        @Override
        public byte[] digest() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
