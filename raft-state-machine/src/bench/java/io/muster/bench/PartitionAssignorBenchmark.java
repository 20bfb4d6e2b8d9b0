package io.muster.bench;

import io.muster.core.Partitions;
import io.muster.core.assignor.PartitionAssignor;
import io.muster.core.assignor.PartitionAssignors;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Collectors;
import java.util.List;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.ConsumerGroupPartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.GroupAssignment;
import org.apache.kafka.coordinator.group.api.assignor.GroupSpec;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.assignor.RangeAssignor;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.GroupSpecImpl;
import org.apache.kafka.coordinator.group.modern.MemberSubscriptionAndAssignmentImpl;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Muster's partition assignors beside Kafka's, on the same group. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PartitionAssignorBenchmark {
    /** What happens to the group: all members are new, one joins, or nothing changes. */
    public enum Change {
        ALL_NEW,
        ONE_JOINS,
        NOTHING
    }

    @Param({"uniform", "range"})
    String assignor = "uniform";

    @Param({"ALL_NEW", "ONE_JOINS", "NOTHING"})
    Change change = Change.ALL_NEW;

    /** Whether all members subscribe to all topics, or each to one half of them, of which there are as many as topics. */
    @Param({"false", "true"})
    boolean mixed;

    @Param("1000")
    int members;

    @Param("50")
    int topics;

    @Param("50000")
    int partitions;

    private final TreeMap<UUID, PartitionAssignor.Topic> musterTopics = new TreeMap<>();
    private SortedMap<String, PartitionAssignor.Member> musterMembers = new TreeMap<>();
    private PartitionAssignor muster = PartitionAssignors.standard();
    private ConsumerGroupPartitionAssignor kafka = new UniformAssignor();
    private GroupSpec kafkaSpec =
            new GroupSpecImpl(Map.of(), SubscriptionType.HOMOGENEOUS, Map.of());
    private SubscribedTopicDescriber kafkaTopics = new Counts(Map.of());

    private record Counts(Map<Uuid, Integer> byTopic) implements SubscribedTopicDescriber {
        @Override
        public int numPartitions(Uuid topic) {
            return byTopic.getOrDefault(topic, -1);
        }

        @Override
        public Set<String> racksForPartition(Uuid topic, int partition) {
            return Set.of();
        }
    }

    @Setup(Level.Trial)
    public void prepare() {
        muster = PartitionAssignors.find(assignor).orElseThrow();
        kafka = assignor.equals("range") ? new RangeAssignor() : new UniformAssignor();
        Map<Uuid, Integer> counts = new HashMap<>();
        for (int topic = 0; topic < topics; topic++) {
            musterTopics.put(new UUID(topic, topic), new PartitionAssignor.Topic(partitions / topics));
            counts.put(new Uuid(topic, topic), partitions / topics);
        }
        kafkaTopics = new Counts(counts);
        int before = change == Change.ONE_JOINS ? members - 1 : members;
        prepareMuster(change == Change.ALL_NEW ? Map.of() : assignByMuster(before));
        prepareKafka(change == Change.ALL_NEW ? Map.of() : assignByKafka(before));
    }

    private Map<String, Partitions<UUID>> assignByMuster(int size) {
        return muster.assign(musterMembers(size, Map.of()), musterTopics);
    }

    private void prepareMuster(Map<String, Partitions<UUID>> had) {
        musterMembers = musterMembers(members, had);
    }

    private SortedMap<String, PartitionAssignor.Member> musterMembers(int size, Map<String, Partitions<UUID>> had) {
        List<PartitionAssignor.Subscription> subscriptions = new ArrayList<>();
        for (int first = 0; first < (mixed ? topics : 1); first++) {
            subscriptions.add(new PartitionAssignor.Subscription(
                    subscribed(first).mapToObj(topic -> new UUID(topic, topic)).collect(Collectors.toCollection(TreeSet::new))));
        }
        TreeMap<String, PartitionAssignor.Member> some = new TreeMap<>();
        for (int member = 0; member < size; member++) {
            String id = "member-" + member;
            PartitionAssignor.Subscription mine = subscriptions.get(member % subscriptions.size());
            some.put(id, new PartitionAssignor.Member(mine, had.getOrDefault(id, Partitions.none()), null, null));
        }
        return some;
    }

    /** The topics of a subscription, from a first one on. */
    private IntStream subscribed(int first) {
        return IntStream.range(first, first + (mixed ? topics / 2 : topics)).map(topic -> topic % topics);
    }

    private Map<String, Map<Uuid, Set<Integer>>> assignByKafka(int size) {
        Map<String, Map<Uuid, Set<Integer>>> assigned = new HashMap<>();
        GroupAssignment assignment = kafka.assign(kafkaSpec(size, Map.of()), kafkaTopics);
        assignment.members().forEach((id, mine) -> assigned.put(id, mine.partitions()));
        return assigned;
    }

    private void prepareKafka(Map<String, Map<Uuid, Set<Integer>>> had) {
        kafkaSpec = kafkaSpec(members, had);
    }

    private GroupSpec kafkaSpec(int size, Map<String, Map<Uuid, Set<Integer>>> had) {
        List<Set<Uuid>> subscriptions = new ArrayList<>();
        for (int first = 0; first < (mixed ? topics : 1); first++) {
            subscriptions.add(
                    subscribed(first).mapToObj(topic -> new Uuid(topic, topic)).collect(Collectors.toSet()));
        }
        Map<String, MemberSubscriptionAndAssignmentImpl> some = new HashMap<>();
        Map<Uuid, Map<Integer, String>> owners = new HashMap<>();
        for (int member = 0; member < size; member++) {
            String id = "member-" + member;
            Map<Uuid, Set<Integer>> mine = had.getOrDefault(id, Map.of());
            mine.forEach((topic, numbers) -> numbers.forEach(number ->
                    owners.computeIfAbsent(topic, key -> new HashMap<>()).put(number, id)));
            some.put(
                    id,
                    new MemberSubscriptionAndAssignmentImpl(
                            Optional.empty(),
                            Optional.empty(),
                            subscriptions.get(member % subscriptions.size()),
                            new Assignment(Collections.unmodifiableMap(mine))));
        }
        return new GroupSpecImpl(
                some, mixed ? SubscriptionType.HETEROGENEOUS : SubscriptionType.HOMOGENEOUS, owners);
    }

    @Benchmark
    public SortedMap<String, Partitions<UUID>> muster() {
        return muster.assign(musterMembers, musterTopics);
    }

    @Benchmark
    public GroupAssignment kafka() {
        return kafka.assign(kafkaSpec, kafkaTopics);
    }
}
