package io.muster.core.assignor;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.assignor.TaskAssignor.Member;
import io.muster.core.assignor.TaskAssignor.Subtopology;
import io.muster.core.assignor.TaskAssignor.Tasks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What holds of every assignment of tasks. */
final class AssignmentChecks {
    private final Tasks tasks;
    private final SortedMap<String, TaskAssignment> assigned;

    AssignmentChecks(Tasks tasks, SortedMap<String, TaskAssignment> assigned) {
        this.tasks = tasks;
        this.assigned = assigned;
    }

    /** Every task has exactly one active owner. */
    AssignmentChecks complete() {
        List<String> active = new ArrayList<>();
        assigned.values().forEach(mine -> mine.active().forEach((id, partition) -> active.add(id + "_" + partition)));
        List<String> wanted = new ArrayList<>();
        tasks.subtopologies().forEach(subtopology -> {
            for (int partition = 0; partition < subtopology.taskCount(); partition++) {
                wanted.add(subtopology.id() + "_" + partition);
            }
        });
        assertThat(active).containsExactlyInAnyOrderElementsOf(wanted);
        return this;
    }

    /** No member has two active tasks more than another: of those that count. */
    AssignmentChecks balanced(Predicate<String> counts) {
        var sizes = assigned.values().stream()
                .mapToInt(mine ->
                        mine.active().filter((id, partition) -> counts.test(id)).size())
                .summaryStatistics();
        assertThat(sizes.getMax() - sizes.getMin()).as("%s", assigned).isLessThanOrEqualTo(1);
        return this;
    }

    /** No two copies of a task in one process, and as many standby copies as are wanted and fit. */
    AssignmentChecks copiesApart() {
        Map<String, Set<String>> processesByTask = new HashMap<>();
        Map<String, Integer> standbys = new HashMap<>();
        Map<String, Integer> others = new HashMap<>();
        assigned.forEach((memberId, mine) -> {
            String process = member(memberId).processId();
            mine.standby().forEach((id, partition) -> standbys.merge(id + "_" + partition, 1, Integer::sum));
            mine.active().plus(mine.warmup()).forEach((id, partition) -> {
                others.merge(id + "_" + partition, 1, Integer::sum);
            });
            for (Partitions<String> role : List.of(mine.active(), mine.standby(), mine.warmup())) {
                role.forEach((id, partition) -> assertThat(processesByTask
                                .computeIfAbsent(id + "_" + partition, key -> new HashSet<>())
                                .add(process))
                        .as("%s_%s in %s of %s", id, partition, process, assigned)
                        .isTrue());
            }
        });
        int processes = (int) tasks.members().values().stream()
                .map(Member::processId)
                .distinct()
                .count();
        for (Subtopology subtopology : tasks.subtopologies()) {
            for (int partition = 0; partition < subtopology.taskCount(); partition++) {
                String task = subtopology.id() + "_" + partition;
                int room = processes - others.getOrDefault(task, 0);
                int wanted = subtopology.stateful() ? Math.min(tasks.copies().standbys(), room) : 0;
                assertThat(standbys.getOrDefault(task, 0)).as(task).isEqualTo(wanted);
            }
        }
        return this;
    }

    /** If there is another zone than that of the active task, some standby copy is in one. */
    AssignmentChecks zonesApart() {
        String tag = "zone";
        if (!tasks.copies().rackAwareTags().contains(tag)) {
            return this;
        }
        Map<String, Set<String>> zones = new TreeMap<>();
        Map<String, Integer> copies = new TreeMap<>();
        assigned.forEach((memberId, mine) -> {
            String zone = String.valueOf(member(memberId).clientTags().get(tag));
            mine.active().plus(mine.standby()).forEach((id, partition) -> {
                zones.computeIfAbsent(id + "_" + partition, key -> new HashSet<>())
                        .add(zone);
                copies.merge(id + "_" + partition, 1, Integer::sum);
            });
        });
        long all = tasks.members().values().stream()
                .map(member -> String.valueOf(member.clientTags().get(tag)))
                .distinct()
                .count();
        zones.forEach((task, some) -> assertThat((long) some.size())
                .as("%s of %s", task, assigned)
                .isEqualTo(Math.min(all, Objects.requireNonNull(copies.get(task)))));
        return this;
    }

    private Member member(String id) {
        return Objects.requireNonNull(tasks.members().get(id));
    }
}
