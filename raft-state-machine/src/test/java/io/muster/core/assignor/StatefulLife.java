package io.muster.core.assignor;

import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.assignor.TaskAssignor.Copies;
import io.muster.core.assignor.TaskAssignor.LocalState;
import io.muster.core.assignor.TaskAssignor.Member;
import io.muster.core.assignor.TaskAssignor.Subtopology;
import io.muster.core.assignor.TaskAssignor.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Members of a stateful application that come, go and restore, with the state that their processes have on disk. */
final class StatefulLife {
    final List<Subtopology> subtopologies = new ArrayList<>();
    final Copies copies;
    private final Random random;
    private final boolean mayBeSilent;
    private final TreeMap<String, Member> members = new TreeMap<>();
    private final TreeMap<String, Partitions<String>> caughtUpByProcess = new TreeMap<>();
    private int nextMember;

    /**
     * @param mayBeSilent whether some members report no task offsets
     */
    StatefulLife(Random random, boolean mayBeSilent) {
        this.random = random;
        this.mayBeSilent = mayBeSilent;
        for (int id = 0; id <= random.nextInt(3); id++) {
            subtopologies.add(new Subtopology("s" + id, random.nextInt(8), random.nextInt(4) > 0));
        }
        List<String> tags = random.nextBoolean() ? List.of() : List.of("zone");
        copies = new Copies(random.nextInt(3), 1 + random.nextInt(3), tags);
    }

    /** Some members leave or die, some join, some processes lose their disk. */
    void change() {
        members.keySet().removeIf(id -> random.nextInt(5) == 0);
        caughtUpByProcess.keySet().removeIf(process -> random.nextInt(12) == 0 && !isAlive(process));
        int joining = (members.isEmpty() ? 1 : 0) + random.nextInt(3);
        for (int member = 0; member < joining; member++) {
            String process = "p" + random.nextInt(5);
            TreeMap<String, String> tags = new TreeMap<>();
            tags.put("zone", "z" + process.charAt(1) % 3);
            boolean reports = !mayBeSilent || random.nextInt(4) > 0;
            LocalState state = new LocalState(Partitions.none(), Partitions.none(), List.of(), reports);
            members.put("m" + nextMember++, new Member(process, TaskAssignment.EMPTY, tags, true, state));
        }
    }

    private boolean isAlive(String process) {
        return members.values().stream().anyMatch(member -> member.processId().equals(process));
    }

    /** Standby and warm-up copies catch up, all or some. */
    void restore(boolean all) {
        members.values().forEach(member -> {
            Partitions<String> copied =
                    member.previous().standby().plus(member.previous().warmup());
            learn(member.processId(), copied.filter((id, partition) -> all || random.nextInt(3) == 0));
        });
    }

    private void learn(String process, Partitions<String> tasks) {
        caughtUpByProcess.merge(process, tasks, Partitions::plus);
    }

    Tasks tasks() {
        TreeMap<String, Member> informed = new TreeMap<>();
        members.forEach((id, member) -> informed.put(
                id,
                new Member(
                        member.processId(),
                        member.previous(),
                        member.clientTags(),
                        true,
                        new LocalState(
                                member.previous().active(),
                                caughtUp(member.processId()),
                                List.of(),
                                member.state().reports()))));
        return new Tasks(informed, subtopologies, copies);
    }

    /** The tasks of which the process is caught up, also since one of its members runs them. */
    Partitions<String> caughtUp(String process) {
        Partitions<String> tasks = caughtUpByProcess.getOrDefault(process, Partitions.none());
        for (Member member : members.values()) {
            if (member.processId().equals(process)) {
                tasks = tasks.plus(member.previous().active());
            }
        }
        return tasks;
    }

    /** All members get what was assigned; copies that nobody keeps fall behind, or not. */
    void follow(SortedMap<String, TaskAssignment> assigned) {
        members.replaceAll((id, member) -> new Member(
                member.processId(),
                Objects.requireNonNull(assigned.get(id)),
                member.clientTags(),
                true,
                member.state()));
        members.values()
                .forEach(member -> learn(
                        member.processId(), member.previous().active().filter((id, partition) -> isStateful(id))));
        caughtUpByProcess.replaceAll((process, tasks) ->
                tasks.filter((id, partition) -> has(process, id, partition) || random.nextInt(4) > 0));
    }

    private boolean has(String process, String id, int partition) {
        return members.values().stream()
                .filter(member -> member.processId().equals(process))
                .anyMatch(member -> member.previous().active().contains(id, partition)
                        || member.previous().standby().contains(id, partition)
                        || member.previous().warmup().contains(id, partition));
    }

    boolean isStateful(String subtopologyId) {
        return subtopologies.stream()
                .anyMatch(subtopology -> subtopology.id().equals(subtopologyId) && subtopology.stateful());
    }
}
