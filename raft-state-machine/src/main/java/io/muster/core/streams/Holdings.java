package io.muster.core.streams;

import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.Partitions;
import io.muster.core.Topology;
import io.muster.core.Topology.Subtopology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Which processes hold which tasks, one member left out; also tasks that a member shall give up count as held. While members have
 * several topologies, what a task of one topology reads may be read by another task of the other: that partition counts as held
 * too.
 */
final class Holdings {
    private record Task(String subtopologyId, int partition) {}

    private final Map<Task, Set<String>> active = new HashMap<>();
    private final Map<Task, Set<String>> spare = new HashMap<>();
    private final Map<TopicPartition, Set<Task>> readers = new HashMap<>();

    private Holdings() {}

    static Holdings ofOthers(StreamsGroup group, String memberId) {
        Holdings holdings = new Holdings();
        for (StreamsMember member : group.members().all()) {
            if (!member.id().equals(memberId)) {
                String process = member.profile().processId();
                add(holdings.active, member.held().active(), process);
                add(holdings.spare, member.held().standby(), process);
                add(holdings.spare, member.held().warmup(), process);
                if (group.topologies().areMany()) {
                    holdings.addReaders(member.held().active(), group.topologyOf(member));
                }
            }
        }
        return holdings;
    }

    /**
     * Whether a member of this process, with this topology, may not run the task as active: another runs it or reads what it reads,
     * or its process keeps a copy.
     */
    BiPredicate<String, Integer> blocksActive(String processId, Topology topology) {
        return (subtopology, partition) -> {
            Task task = new Task(subtopology, partition);
            return active.containsKey(task) || holds(spare, task, processId) || isReadByOther(task, topology);
        };
    }

    /** Whether a member of this process may not keep a copy of the task: the process runs or keeps it already. */
    BiPredicate<String, Integer> blocksSpare(String processId) {
        return (subtopology, partition) -> {
            Task task = new Task(subtopology, partition);
            return holds(active, task, processId) || holds(spare, task, processId);
        };
    }

    private void addReaders(Partitions<String> tasks, Topology topology) {
        tasks.forEach((subtopology, partition) -> sources(topology, subtopology)
                .forEach(topic -> readers.computeIfAbsent(new TopicPartition(topic, partition), key -> new HashSet<>())
                        .add(new Task(subtopology, partition))));
    }

    /** Whether a task that does not share these sources in this topology reads any of them in another. */
    private boolean isReadByOther(Task task, Topology topology) {
        return sources(topology, task.subtopologyId()).stream()
                .anyMatch(topic -> readers.getOrDefault(new TopicPartition(topic, task.partition()), Set.of()).stream()
                        .anyMatch(reader ->
                                !sources(topology, reader.subtopologyId()).contains(topic)));
    }

    private static List<String> sources(Topology topology, String subtopologyId) {
        return topology.find(subtopologyId).map(Subtopology::allSources).orElse(List.of());
    }

    private static void add(Map<Task, Set<String>> map, Partitions<String> tasks, String processId) {
        tasks.forEach((subtopology, partition) -> map.computeIfAbsent(
                        new Task(subtopology, partition), key -> new HashSet<>())
                .add(processId));
    }

    private static boolean holds(Map<Task, Set<String>> map, Task task, String processId) {
        return map.getOrDefault(task, Set.of()).contains(processId);
    }
}
