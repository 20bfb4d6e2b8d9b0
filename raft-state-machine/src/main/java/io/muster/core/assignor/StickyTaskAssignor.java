package io.muster.core.assignor;

import io.muster.core.TaskAssignment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keeps tasks where they were or where a standby copy is, as far as no member gets more than its share; the rest goes to the
 * members with the least load. No two copies of a task share a process.
 */
public final class StickyTaskAssignor implements TaskAssignor {
    @Override
    public String name() {
        return "sticky";
    }

    @Override
    public SortedMap<String, TaskAssignment> assign(Tasks tasks) {
        TaskLoad load = new TaskLoad(tasks);
        List<TaskLoad.Task> active = tasksOf(tasks, false);
        assignActive(load, active);
        if (tasks.numStandbyReplicas() > 0) {
            List<TaskLoad.Task> stateful = tasksOf(tasks, true);
            assignStandby(load, stateful, tasks.numStandbyReplicas(), active.size());
        }
        return load.assignment();
    }

    /** Partition by partition, so that tasks of equal number tend to stay together. */
    private static List<TaskLoad.Task> tasksOf(Tasks tasks, boolean statefulOnly) {
        List<TaskLoad.Task> all = new ArrayList<>();
        for (Subtopology subtopology : tasks.subtopologies()) {
            for (int partition = 0; partition < subtopology.taskCount(); partition++) {
                if (subtopology.stateful() || !statefulOnly) {
                    all.add(new TaskLoad.Task(subtopology.id(), partition));
                }
            }
        }
        all.sort(Comparator.comparingInt(TaskLoad.Task::partition).thenComparing(TaskLoad.Task::subtopologyId));
        return all;
    }

    private static void assignActive(TaskLoad load, List<TaskLoad.Task> tasks) {
        load.startShares(tasks.size(), false);
        List<TaskLoad.Task> moved = new ArrayList<>();
        for (TaskLoad.Task task : tasks) {
            Optional<String> owner = load.previousActive(task).filter(load::hasShareLeft);
            owner.ifPresent(member -> load.giveActive(member, task));
            if (owner.isEmpty()) {
                moved.add(task);
            }
        }
        List<TaskLoad.Task> rest = new ArrayList<>();
        for (TaskLoad.Task task : moved) {
            Optional<String> copyHolder = load.leastLoaded(
                    load.previousStandbys(task), member -> load.takesNew(member) && load.hasShareLeft(member));
            copyHolder.ifPresent(member -> load.giveActive(member, task));
            if (copyHolder.isEmpty()) {
                rest.add(task);
            }
        }
        rest.sort(Comparator.comparing(TaskLoad.Task::subtopologyId).thenComparingInt(TaskLoad.Task::partition));
        for (TaskLoad.Task task : rest) {
            load.leastLoadedWithout(task).ifPresent(member -> load.giveActive(member, task));
        }
    }

    private static void assignStandby(TaskLoad load, List<TaskLoad.Task> tasks, int replicas, int activeCount) {
        load.startShares(activeCount + tasks.size() * replicas, true);
        TreeMap<TaskLoad.Task, Integer> lacking = new TreeMap<>();
        for (TaskLoad.Task task : tasks) {
            int given = 0;
            while (given < replicas && keepStandby(load, task)) {
                given++;
            }
            lacking.put(task, replicas - given);
        }
        lacking.forEach((task, copies) -> {
            for (int copy = 0; copy < copies; copy++) {
                load.leastLoadedWithout(task).ifPresent(member -> load.giveStandby(member, task));
            }
        });
    }

    /** Gives one copy to a member that had the task before, if its share allows. */
    private static boolean keepStandby(TaskLoad load, TaskLoad.Task task) {
        List<String> before = new ArrayList<>();
        load.previousActive(task).ifPresent(before::add);
        Optional<String> owner =
                load.leastLoaded(before, member -> load.takesNew(member) && load.mayKeepCopy(member, task));
        Optional<String> holder =
                owner.or(() -> load.leastLoaded(load.previousStandbys(task), member -> load.mayKeepCopy(member, task)));
        holder.ifPresent(member -> load.giveStandby(member, task));
        return holder.isPresent();
    }
}
