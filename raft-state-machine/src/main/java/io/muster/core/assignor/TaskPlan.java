package io.muster.core.assignor;

import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.assignor.Seat.Host;
import io.muster.core.assignor.TaskAssignor.Member;
import io.muster.core.assignor.TaskAssignor.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who gets what while an assignment is made; ordered by ids wherever an order shows.
 *
 * <p>A task may have an owner and run elsewhere for the time being, until the owner's copy is ready.
 */
final class TaskPlan {
    final TaskTable table;
    final List<Seat> seats = new ArrayList<>();
    final List<Host> hosts = new ArrayList<>();
    private final @Nullable Seat[] owner;
    private final @Nullable Seat[] runner;
    private final @Nullable Seat[] warmup;
    private final Seat[][] standbys;
    private @Nullable TreeSet<Host> byLoad;

    TaskPlan(Tasks tasks) {
        table = new TaskTable(tasks.subtopologies());
        owner = new Seat[table.size()];
        runner = new Seat[table.size()];
        warmup = new Seat[table.size()];
        standbys = new Seat[table.size()][0];
        TreeMap<String, Host> byProcess = new TreeMap<>();
        tasks.members().forEach((id, member) -> {
            Host host = byProcess.computeIfAbsent(member.processId(), process -> newHost(member));
            seats.add(new Seat(seats.size(), id, member, host));
        });
    }

    private Host newHost(Member member) {
        Host host = new Host(member.clientTags());
        hosts.add(host);
        return host;
    }

    @Nullable
    Seat owner(int task) {
        return owner[task];
    }

    /** Members that got a standby copy. */
    Seat[] standbys(int task) {
        return standbys[task].clone();
    }

    /** Gives the task to a member that runs it. */
    void giveActive(Seat seat, int task) {
        giveActive(seat, task, seat);
    }

    /** Gives the task to a member, though another one, or none, runs it for the time being. */
    void giveActive(Seat seat, int task, @Nullable Seat running) {
        Seat before = owner[task];
        if (before != null) {
            shift(before, -1);
        }
        owner[task] = seat;
        runner[task] = running;
        shift(seat, 1);
    }

    /** Counts the task with the member that runs it from now on, not with its owner. */
    void loadRunner(int task) {
        Seat carrier = owner[task];
        Seat running = runner[task];
        if (carrier != null && running != null && carrier != running) {
            shift(carrier, -1);
            shift(running, 1);
        }
    }

    /** Makes the owner's copy ready while another member runs the task. */
    void warmUp(int task) {
        warmup[task] = owner[task];
    }

    void giveStandby(Seat seat, int task) {
        Seat[] before = standbys[task];
        Seat[] after = new Seat[before.length + 1];
        System.arraycopy(before, 0, after, 0, before.length);
        after[before.length] = seat;
        standbys[task] = after;
        shift(seat, 1);
    }

    void moveStandby(int task, int place, Seat to) {
        shift(standbys[task][place], -1);
        standbys[task][place] = to;
        shift(to, 1);
    }

    /** Whether the process has a copy of the task already, whatever its role. */
    boolean hasCopy(Host host, int task) {
        if (isOn(host, runner[task]) || isOn(host, warmup[task])) {
            return true;
        }
        for (Seat seat : standbys[task]) {
            if (seat.host == host) {
                return true;
            }
        }
        return false;
    }

    /** The processes that have a copy of the task. */
    List<Host> holders(int task) {
        List<Host> holders = new ArrayList<>(standbys[task].length + 2);
        Seat running = runner[task];
        if (running != null) {
            holders.add(running.host);
        }
        Seat warming = warmup[task];
        if (warming != null) {
            holders.add(warming.host);
        }
        for (Seat seat : standbys[task]) {
            holders.add(seat.host);
        }
        return holders;
    }

    private static boolean isOn(Host host, @Nullable Seat seat) {
        return seat != null && seat.host == host;
    }

    /** The processes that take new tasks, the least loaded first. */
    SortedSet<Host> hostsByLoad() {
        TreeSet<Host> ordered = byLoad;
        if (ordered == null) {
            ordered = new TreeSet<>(Host.BY_LOAD);
            for (Host host : hosts) {
                if (host.hasTakers()) {
                    ordered.add(host);
                }
            }
            byLoad = ordered;
        }
        return ordered;
    }

    /** The least loaded member of the first process that is eligible. */
    Optional<Seat> leastLoaded(Predicate<Host> eligible) {
        for (Host host : hostsByLoad()) {
            if (eligible.test(host)) {
                return Optional.of(host.takers().first());
            }
        }
        return Optional.empty();
    }

    /** The least loaded of the eligible members, process by process. */
    Optional<Seat> leastLoadedSeat(Predicate<Seat> eligible) {
        for (Host host : hostsByLoad()) {
            for (Seat seat : host.takers()) {
                if (eligible.test(seat)) {
                    return Optional.of(seat);
                }
            }
        }
        return Optional.empty();
    }

    /** Whether any task runs elsewhere until its owner's copy is ready. */
    boolean isWaiting() {
        for (int task = 0; task < table.size(); task++) {
            if (runsElsewhere(task)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the task runs with another member than its owner. */
    boolean runsElsewhere(int task) {
        return owner[task] != runner[task];
    }

    private void shift(Seat seat, int by) {
        Host host = seat.host;
        TreeSet<Host> ordered = host.hasTakers() ? byLoad : null;
        if (ordered != null) {
            ordered.remove(host);
        }
        host.shift(seat, by);
        if (ordered != null) {
            ordered.add(host);
        }
    }

    /** Before many loads change: the order is made anew once it is needed. */
    void forgetOrder() {
        byLoad = null;
        hosts.forEach(Host::forgetOrder);
    }

    SortedMap<String, TaskAssignment> assignment() {
        List<TaskList> active = lists();
        List<TaskList> standby = lists();
        List<TaskList> warm = lists();
        for (int task = 0; task < table.size(); task++) {
            add(active, runner[task], task);
            add(warm, warmup[task], task);
            for (Seat seat : standbys[task]) {
                add(standby, seat, task);
            }
        }
        TreeMap<String, TaskAssignment> result = new TreeMap<>();
        for (Seat seat : seats) {
            result.put(
                    seat.memberId,
                    new TaskAssignment(
                            partitions(active.get(seat.index)),
                            partitions(standby.get(seat.index)),
                            partitions(warm.get(seat.index))));
        }
        return result;
    }

    private static void add(List<TaskList> lists, @Nullable Seat seat, int task) {
        if (seat != null) {
            lists.get(seat.index).add(task);
        }
    }

    private List<TaskList> lists() {
        return seats.stream().map(seat -> new TaskList()).toList();
    }

    private Partitions<String> partitions(TaskList tasks) {
        return tasks.partitions(table);
    }
}
