package io.muster.core.assignor;

import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.assignor.TaskAssignor.Tasks;
import java.util.ArrayList;
import java.util.Collection;
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
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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

    /** A process: what all its members have together. */
    private static final class Host {
        final List<Seat> seats = new ArrayList<>();
        final Set<Task> tasks = new HashSet<>();

        double load() {
            return (double) tasks.size() / seats.size();
        }
    }

    /** A member's place in its process. */
    private static final class Seat {
        final String member;
        final Host host;
        /** Null if it may get any task, else what it had: it gets nothing else. */
        final @Nullable TaskAssignment limit;

        int count;
        /** Whether it has its share whatever it keeps, since it had no more than that. */
        boolean settled;

        Seat(String member, Host host, @Nullable TaskAssignment limit) {
            this.member = member;
            this.host = host;
            this.limit = limit;
        }

        int limit(boolean withCopies) {
            if (limit == null) {
                return Integer.MAX_VALUE;
            }
            return limit.active().size() + (withCopies ? limit.standby().size() : 0);
        }
    }

    /** A member's load comes first, so that no member gets more than its share; then that of its process. */
    private static final Comparator<Seat> BY_LOAD = Comparator.<Seat>comparingInt(seat -> seat.count)
            .thenComparingDouble(seat -> seat.host.load())
            .thenComparing(seat -> seat.member);

    private final Map<String, Seat> seats = new HashMap<>();
    private final TreeSet<Seat> byLoad = new TreeSet<>(BY_LOAD);
    private final Map<Task, String> previousActive = new HashMap<>();
    private final Map<Task, List<String>> previousStandbys = new HashMap<>();
    private final TreeMap<String, Map<String, SortedSet<Integer>>> active = new TreeMap<>();
    private final TreeMap<String, Map<String, SortedSet<Integer>>> standby = new TreeMap<>();
    private int share;
    private int largerShares;

    TaskLoad(Tasks tasks) {
        TreeMap<String, Host> hosts = new TreeMap<>();
        TreeMap<String, Integer> counts = new TreeMap<>();
        tasks.subtopologies().forEach(subtopology -> counts.put(subtopology.id(), subtopology.taskCount()));
        tasks.members().forEach((id, member) -> {
            Host host = hosts.computeIfAbsent(member.processId(), process -> new Host());
            Seat seat = new Seat(id, host, member.takesNew() ? null : existing(member.previous(), counts));
            host.seats.add(seat);
            seats.put(id, seat);
            remember(id, member.previous());
        });
        offer(seats.values());
    }

    private static TaskAssignment existing(TaskAssignment tasks, Map<String, Integer> counts) {
        BiPredicate<String, Integer> exists = (id, partition) -> partition < counts.getOrDefault(id, 0);
        return new TaskAssignment(tasks.active().filter(exists), tasks.standby().filter(exists), Partitions.none());
    }

    /** Members that take nothing new are never the least loaded. */
    private void offer(Collection<Seat> some) {
        some.stream().filter(seat -> seat.limit == null).forEach(byLoad::add);
    }

    private void remember(String member, TaskAssignment previous) {
        active.put(member, new TreeMap<>());
        standby.put(member, new TreeMap<>());
        previous.active().forEach((id, partition) -> previousActive.put(new Task(id, partition), member));
        previous.standby()
                .forEach((id, partition) -> previousStandbys
                        .computeIfAbsent(new Task(id, partition), task -> new ArrayList<>())
                        .add(member));
    }

    /**
     * From now on a member has its share once it has as many of {@code total} tasks as an even split allows. What members that take
     * nothing new leave of their shares goes to the others; if there are no others, each keeps what it has.
     *
     * @param withCopies whether standby copies are among the tasks
     */
    void startShares(int total, boolean withCopies) {
        int left = total;
        int open = seats.size();
        List<Seat> byLimit = new ArrayList<>(seats.values());
        byLimit.sort(
                Comparator.<Seat>comparingInt(seat -> seat.limit(withCopies)).thenComparing(seat -> seat.member));
        boolean nobodyTakesNew = byLoad.isEmpty();
        for (Seat seat : byLimit) {
            int limit = seat.limit(withCopies);
            seat.settled = nobodyTakesNew || limit <= left / open;
            if (seat.settled && !nobodyTakesNew) {
                left -= limit;
                open--;
            }
        }
        share = left / open;
        largerShares = left % open;
        seats.values().stream()
                .filter(seat -> !seat.settled && seat.count > share)
                .forEach(seat -> largerShares--);
    }

    boolean hasShareLeft(String member) {
        Seat seat = seat(member);
        return seat.settled || seat.count < share || (seat.count == share && largerShares > 0);
    }

    /** Whether the member may get tasks that it did not have in the same role before. */
    boolean takesNew(String member) {
        return seat(member).limit == null;
    }

    boolean mayKeepCopy(String member, Task task) {
        return hasShareLeft(member) && !seat(member).host.tasks.contains(task);
    }

    Optional<String> previousActive(Task task) {
        return Optional.ofNullable(previousActive.get(task));
    }

    List<String> previousStandbys(Task task) {
        return previousStandbys.getOrDefault(task, List.of());
    }

    Optional<String> leastLoaded(List<String> members, Predicate<String> eligible) {
        return members.stream().filter(eligible).map(this::seat).min(BY_LOAD).map(seat -> seat.member);
    }

    /** The least loaded member that may get the task and whose process has no copy of it; empty if there is none. */
    Optional<String> leastLoadedWithout(Task task) {
        return byLoad.stream()
                .filter(seat -> !seat.host.tasks.contains(task))
                .findFirst()
                .map(seat -> seat.member);
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
        Seat seat = seat(member);
        seat.host.seats.forEach(byLoad::remove);
        if (!seat.settled && seat.count == share) {
            largerShares--;
        }
        seat.count++;
        seat.host.tasks.add(task);
        offer(seat.host.seats);
        role.computeIfAbsent(member, id -> new TreeMap<>())
                .computeIfAbsent(task.subtopologyId(), id -> new TreeSet<>())
                .add(task.partition());
    }

    private Seat seat(String member) {
        Seat seat = seats.get(member);
        if (seat == null) {
            throw new IllegalStateException("not a member: " + member);
        }
        return seat;
    }
}
