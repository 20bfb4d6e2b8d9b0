package io.muster.core.assignor;

import io.muster.core.PartitionNumbers;
import io.muster.core.Partitions;
import io.muster.core.assignor.TaskAssignor.Subtopology;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/** All tasks of a group, numbered from 0 in the order of subtopology id and partition. */
final class TaskTable {
    /** What {@link #find} answers for a task that is not there any more. */
    static final int NONE = -1;

    private final List<Subtopology> subtopologies;
    private final Map<String, Integer> firstBySubtopology = new HashMap<>();
    private final Map<String, Integer> countBySubtopology = new HashMap<>();
    private final String[] subtopologyOf;
    private final int[] partitionOf;
    private final boolean[] stateful;

    TaskTable(List<Subtopology> all) {
        subtopologies =
                all.stream().sorted(Comparator.comparing(Subtopology::id)).toList();
        int size = subtopologies.stream().mapToInt(Subtopology::taskCount).sum();
        subtopologyOf = new String[size];
        partitionOf = new int[size];
        stateful = new boolean[size];
        int next = 0;
        for (Subtopology subtopology : subtopologies) {
            firstBySubtopology.put(subtopology.id(), next);
            countBySubtopology.put(subtopology.id(), subtopology.taskCount());
            for (int partition = 0; partition < subtopology.taskCount(); partition++) {
                subtopologyOf[next] = subtopology.id();
                partitionOf[next] = partition;
                stateful[next] = subtopology.stateful();
                next++;
            }
        }
    }

    int size() {
        return partitionOf.length;
    }

    int find(String subtopologyId, int partition) {
        Integer count = countBySubtopology.get(subtopologyId);
        Integer first = firstBySubtopology.get(subtopologyId);
        return count == null || first == null || partition >= count ? NONE : first + partition;
    }

    /** Visits those of the tasks that are there still. */
    void forEach(Partitions<String> tasks, IntConsumer visitor) {
        tasks.byKey().forEach((subtopologyId, partitions) -> {
            Integer count = countBySubtopology.get(subtopologyId);
            Integer first = firstBySubtopology.get(subtopologyId);
            if (count == null || first == null) {
                return;
            }
            PartitionNumbers numbers = PartitionNumbers.copyOf(partitions);
            for (int place = 0; place < numbers.size() && numbers.at(place) < count; place++) {
                visitor.accept(first + numbers.at(place));
            }
        });
    }

    String subtopologyOf(int task) {
        return subtopologyOf[task];
    }

    int partitionOf(int task) {
        return partitionOf[task];
    }

    boolean isStateful(int task) {
        return stateful[task];
    }

    /** All tasks partition by partition, so that tasks of equal number stand together. */
    int[] byPartition() {
        int most = subtopologies.stream().mapToInt(Subtopology::taskCount).max().orElse(0);
        int[] order = new int[size()];
        int next = 0;
        for (int partition = 0; partition < most; partition++) {
            int first = 0;
            for (Subtopology subtopology : subtopologies) {
                if (partition < subtopology.taskCount()) {
                    order[next++] = first + partition;
                }
                first += subtopology.taskCount();
            }
        }
        return order;
    }
}
