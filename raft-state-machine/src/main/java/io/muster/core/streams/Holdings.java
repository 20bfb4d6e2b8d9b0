package io.muster.core.streams;

import io.muster.core.Partitions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/** Which processes hold which tasks, one member left out; also tasks that a member shall give up count as held. */
final class Holdings {
    private record Task(String subtopologyId, int partition) {}

    private final Map<Task, Set<String>> active = new HashMap<>();
    private final Map<Task, Set<String>> spare = new HashMap<>();

    private Holdings() {}

    static Holdings ofOthers(StreamsGroup group, String memberId) {
        Holdings holdings = new Holdings();
        for (StreamsMember member : group.members().all()) {
            if (!member.id().equals(memberId)) {
                String process = member.profile().processId();
                add(holdings.active, member.held().active(), process);
                add(holdings.spare, member.held().standby(), process);
                add(holdings.spare, member.held().warmup(), process);
            }
        }
        return holdings;
    }

    /** Whether a member of this process may not run the task as active: another runs it, or its process keeps a copy. */
    BiPredicate<String, Integer> blocksActive(String processId) {
        return (subtopology, partition) -> {
            Task task = new Task(subtopology, partition);
            return active.containsKey(task) || holds(spare, task, processId);
        };
    }

    /** Whether a member of this process may not keep a copy of the task: the process runs or keeps it already. */
    BiPredicate<String, Integer> blocksSpare(String processId) {
        return (subtopology, partition) -> {
            Task task = new Task(subtopology, partition);
            return holds(active, task, processId) || holds(spare, task, processId);
        };
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
