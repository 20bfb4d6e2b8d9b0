package io.muster.core.streams;

import io.muster.core.Partitions;
import io.muster.core.PersistentMap;
import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.TaskAssignment;
import io.muster.core.Topology.TaskId;
import java.util.ArrayList;
import java.util.List;

/**
 * Which members hold each task; also tasks that a member shall give up count as held.
 *
 * @param active the ids of the members that run the task
 * @param spare the ids of the members that keep a copy of it, standby or warm-up
 */
record TaskHolders(PersistentMap<TaskId, List<String>> active, PersistentMap<TaskId, List<String>> spare) {
    static final TaskHolders NONE = new TaskHolders(PersistentMap.empty(), PersistentMap.empty());

    TaskHolders with(CurrentSet current) {
        TaskAssignment held = held(current);
        return new TaskHolders(
                with(active, held.active(), current.memberId()),
                with(spare, held.standby().plus(held.warmup()), current.memberId()));
    }

    TaskHolders without(CurrentSet current) {
        TaskAssignment held = held(current);
        return new TaskHolders(
                without(active, held.active(), current.memberId()),
                without(spare, held.standby().plus(held.warmup()), current.memberId()));
    }

    private static TaskAssignment held(CurrentSet current) {
        return current.assigned().plus(current.pendingRevocation());
    }

    private static PersistentMap<TaskId, List<String>> with(
            PersistentMap<TaskId, List<String>> holders, Partitions<String> tasks, String memberId) {
        PersistentMap<TaskId, List<String>> next = holders;
        for (TaskId task : TaskId.of(tasks)) {
            List<String> more = new ArrayList<>(next.find(task).orElse(List.of()));
            more.add(memberId);
            more.sort(null);
            next = next.with(task, List.copyOf(more));
        }
        return next;
    }

    private static PersistentMap<TaskId, List<String>> without(
            PersistentMap<TaskId, List<String>> holders, Partitions<String> tasks, String memberId) {
        PersistentMap<TaskId, List<String>> next = holders;
        for (TaskId task : TaskId.of(tasks)) {
            List<String> left = next.find(task).orElse(List.of()).stream()
                    .filter(holder -> !holder.equals(memberId))
                    .toList();
            next = left.isEmpty() ? next.without(task) : next.with(task, left);
        }
        return next;
    }
}
