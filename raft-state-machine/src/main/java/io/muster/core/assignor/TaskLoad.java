package io.muster.core.assignor;

import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.assignor.TaskAssignor.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Who got what so far while an assignment is made; ordered by ids wherever an order shows. */
final class TaskLoad {
    /** One task, whatever its role. */
    record Task(String subtopologyId, int partition) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int bySubtopology = subtopologyId.compareTo(other.subtopologyId);
            return bySubtopology != 0 ? bySubtopology : Integer.compare(partition, other.partition);
        }
    }

    private static final class Host {
        final String id;
        final TreeMap<String, Integer> tasksByMember = new TreeMap<>();
        final Set<Task> tasks = new HashSet<>();
        int taskCount;

        Host(String id) {
            this.id = id;
        }

        double load() {
            return (double) taskCount / tasksByMember.size();
        }

        String leastLoadedMember() {
            return tasksByMember.entrySet().stream()
                    .min(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .orElseThrow()
                    .getKey();
        }
    }

    private static final Comparator<Host> BY_LOAD =
            Comparator.comparingDouble(Host::load).thenComparing(process -> process.id);

    private final Map<String, Host> processOf = new HashMap<>();
    private final TreeSet<Host> processes = new TreeSet<>(BY_LOAD);
    private final Map<Task, String> previousActive = new HashMap<>();
    private final Map<Task, List<String>> previousStandbys = new HashMap<>();
    private final TreeMap<String, Map<String, SortedSet<Integer>>> active = new TreeMap<>();
    private final TreeMap<String, Map<String, SortedSet<Integer>>> standby = new TreeMap<>();
    private int share;
    private int largerShares;

    TaskLoad(SortedMap<String, Member> members) {
        TreeMap<String, Host> byId = new TreeMap<>();
        members.forEach((id, member) -> {
            Host process = byId.computeIfAbsent(member.processId(), Host::new);
            process.tasksByMember.put(id, 0);
            processOf.put(id, process);
            active.put(id, new TreeMap<>());
            standby.put(id, new TreeMap<>());
            member.previous()
                    .active()
                    .forEach((subtopology, partition) -> previousActive.put(new Task(subtopology, partition), id));
            member.previous()
                    .standby()
                    .forEach((subtopology, partition) -> previousStandbys
                            .computeIfAbsent(new Task(subtopology, partition), task -> new ArrayList<>())
                            .add(id));
        });
        processes.addAll(byId.values());
    }

    /** From now on a member has its share once it has as many of {@code total} tasks as an even split allows. */
    void startShares(int total) {
        int members = processOf.size();
        share = total / members;
        largerShares = total % members;
        for (String member : processOf.keySet()) {
            if (count(member) > share) {
                largerShares--;
            }
        }
    }

    boolean hasShareLeft(String member) {
        int count = count(member);
        return count < share || (count == share && largerShares > 0);
    }

    boolean mayKeepCopy(String member, Task task) {
        return hasShareLeft(member) && !process(member).tasks.contains(task);
    }

    Optional<String> previousActive(Task task) {
        return Optional.ofNullable(previousActive.get(task));
    }

    List<String> previousStandbys(Task task) {
        return previousStandbys.getOrDefault(task, List.of());
    }

    Optional<String> leastLoaded(List<String> members, Predicate<String> eligible) {
        return members.stream()
                .filter(eligible)
                .min(Comparator.<String>comparingDouble(
                                member -> process(member).load())
                        .thenComparingInt(this::count)
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** The least loaded member of the least loaded process that has no copy of the task; empty if all have one. */
    Optional<String> leastLoadedWithout(Task task) {
        return processes.stream()
                .filter(process -> !process.tasks.contains(task))
                .findFirst()
                .map(Host::leastLoadedMember);
    }

    void giveActive(String member, Task task) {
        give(member, task, active);
    }

    void giveStandby(String member, Task task) {
        give(member, task, standby);
    }

    SortedMap<String, TaskAssignment> assignment() {
        TreeMap<String, TaskAssignment> result = new TreeMap<>();
        active.forEach((member, tasks) -> {
            Map<String, SortedSet<Integer>> copies = standby.getOrDefault(member, Map.of());
            result.put(
                    member, new TaskAssignment(Partitions.copyOf(tasks), Partitions.copyOf(copies), Partitions.none()));
        });
        return result;
    }

    private void give(String member, Task task, Map<String, Map<String, SortedSet<Integer>>> role) {
        Host process = process(member);
        processes.remove(process);
        if (count(member) == share) {
            largerShares--;
        }
        process.taskCount++;
        process.tasks.add(task);
        process.tasksByMember.merge(member, 1, Integer::sum);
        processes.add(process);
        role.computeIfAbsent(member, id -> new TreeMap<>())
                .computeIfAbsent(task.subtopologyId(), id -> new TreeSet<>())
                .add(task.partition());
    }

    private int count(String member) {
        return process(member).tasksByMember.getOrDefault(member, 0);
    }

    private Host process(String member) {
        Host process = processOf.get(member);
        if (process == null) {
            throw new IllegalStateException("not a member: " + member);
        }
        return process;
    }
}
