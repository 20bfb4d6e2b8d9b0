package io.muster.bench;

import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.assignor.TaskAssignor;
import io.muster.core.assignor.TaskAssignor.Copies;
import io.muster.core.assignor.TaskAssignor.LocalState;
import io.muster.core.assignor.TaskAssignor.Member;
import io.muster.core.assignor.TaskAssignor.Subtopology;
import io.muster.core.assignor.TaskAssignor.Tasks;
import io.muster.core.assignor.TaskAssignors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.coordinator.group.api.streams.assignor.GroupAssignment;
import org.apache.kafka.coordinator.group.api.streams.assignor.GroupSpec;
import org.apache.kafka.coordinator.group.api.streams.assignor.TopologyDescriber;
import org.apache.kafka.coordinator.group.streams.assignor.AssignmentConfigsImpl;
import org.apache.kafka.coordinator.group.streams.assignor.GroupSpecImpl;
import org.apache.kafka.coordinator.group.streams.assignor.MemberMetadataAndStateImpl;
import org.apache.kafka.coordinator.group.streams.assignor.StickyTaskAssignor;
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

/** Muster's task assignors beside Kafka's sticky one, on the same Streams group: stateful tasks, several members a process. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TaskAssignorBenchmark {
    private static final int MEMBERS_IN_PROCESS = 5;

    /** What happens to the group: all members are new, a tenth joins, or nothing changes. */
    public enum Change {
        ALL_NEW,
        TENTH_JOINS,
        NOTHING
    }

    @Param({"ALL_NEW", "TENTH_JOINS", "NOTHING"})
    Change change = Change.ALL_NEW;

    @Param({"0", "1"})
    int standbys;

    @Param("1000")
    int members;

    @Param("10")
    int subtopologies;

    @Param("10000")
    int tasks;

    private Tasks musterTasks = new Tasks(new TreeMap<>(), List.of(), 0);
    private GroupSpec kafkaSpec = new GroupSpecImpl(Map.of(), AssignmentConfigsImpl.DEFAULT);
    private final TopologyDescriber kafkaTopology = new Described();
    private final TaskAssignor sticky = TaskAssignors.find("sticky").orElseThrow();
    private final TaskAssignor highlyAvailable =
            TaskAssignors.find("highly_available").orElseThrow();

    private final class Described implements TopologyDescriber {
        @Override
        public List<String> subtopologies() {
            return names();
        }

        @Override
        public int maxNumInputPartitions(String subtopology) {
            return tasks / subtopologies;
        }

        @Override
        public boolean isStateful(String subtopology) {
            return true;
        }
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        for (int subtopology = 0; subtopology < subtopologies; subtopology++) {
            names.add("subtopology-" + subtopology);
        }
        return names;
    }

    @Setup(Level.Trial)
    public void prepare() {
        int before = change == Change.TENTH_JOINS ? members - members / 10 : members;
        Map<String, TaskAssignment> musterHad =
                change == Change.ALL_NEW ? Map.of() : sticky.assign(musterTasks(before, Map.of()));
        musterTasks = musterTasks(members, musterHad);
        kafkaSpec = kafkaSpec(musterHad);
    }

    private static String id(int member) {
        return "member-" + member;
    }

    private static String process(int member) {
        return "process-" + member / MEMBERS_IN_PROCESS;
    }

    private Tasks musterTasks(int size, Map<String, TaskAssignment> had) {
        TreeMap<String, Member> some = new TreeMap<>();
        for (int member = 0; member < size; member++) {
            TaskAssignment mine = had.getOrDefault(id(member), TaskAssignment.EMPTY);
            LocalState state = new LocalState(mine.active(), Partitions.none(), List.of(), true);
            some.put(id(member), new Member(process(member), mine, new TreeMap<>(), true, state));
        }
        List<Subtopology> all = names().stream()
                .map(name -> new Subtopology(name, tasks / subtopologies, true))
                .toList();
        return new Tasks(some, all, new Copies(standbys, 2, List.of()));
    }

    private GroupSpec kafkaSpec(Map<String, TaskAssignment> had) {
        Map<String, MemberMetadataAndStateImpl> some = new HashMap<>();
        for (int member = 0; member < members; member++) {
            TaskAssignment mine = had.getOrDefault(id(member), TaskAssignment.EMPTY);
            some.put(
                    id(member),
                    new MemberMetadataAndStateImpl(
                            Optional.empty(),
                            Optional.empty(),
                            process(member),
                            Map.of(),
                            sets(mine.active()),
                            sets(mine.standby()),
                            Map.of(),
                            Map.of(),
                            Map.of()));
        }
        return new GroupSpecImpl(some, AssignmentConfigsImpl.DEFAULT.withNumStandbyReplicas(standbys));
    }

    private static Map<String, Set<Integer>> sets(Partitions<String> partitions) {
        return partitions.byKey().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> Set.copyOf(entry.getValue())));
    }

    @Benchmark
    public SortedMap<String, TaskAssignment> musterSticky() {
        return sticky.assign(musterTasks);
    }

    @Benchmark
    public SortedMap<String, TaskAssignment> musterHighlyAvailable() {
        return highlyAvailable.assign(musterTasks);
    }

    @Benchmark
    public GroupAssignment kafkaSticky() {
        return new StickyTaskAssignor().assign(kafkaSpec, kafkaTopology);
    }
}
