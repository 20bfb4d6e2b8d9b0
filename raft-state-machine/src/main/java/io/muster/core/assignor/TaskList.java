package io.muster.core.assignor;

import io.muster.core.PartitionNumbers;
import io.muster.core.Partitions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Task numbers of a {@link TaskTable} in ascending order. */
final class TaskList {
    private int[] tasks = new int[8];
    private int size;

    void add(int task) {
        if (size == tasks.length) {
            tasks = Arrays.copyOf(tasks, 2 * size);
        }
        tasks[size++] = task;
    }

    int size() {
        return size;
    }

    int at(int place) {
        return tasks[place];
    }

    Partitions<String> partitions(TaskTable table) {
        if (size == 0) {
            return Partitions.none();
        }
        List<String> subtopologies = new ArrayList<>();
        List<PartitionNumbers> partitions = new ArrayList<>();
        int[] numbers = new int[size];
        int count = 0;
        for (int place = 0; place < size; place++) {
            numbers[count++] = table.partitionOf(tasks[place]);
            boolean last = place + 1 == size
                    || !table.subtopologyOf(tasks[place + 1]).equals(table.subtopologyOf(tasks[place]));
            if (last) {
                subtopologies.add(table.subtopologyOf(tasks[place]));
                partitions.add(PartitionNumbers.ofAscending(numbers, count));
                count = 0;
            }
        }
        return Partitions.ofAscending(subtopologies, partitions);
    }
}
