package io.muster.core.assignor;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.assignor.TaskAssignor.Member;
import io.muster.core.assignor.TaskAssignor.Subtopology;
import io.muster.core.assignor.TaskAssignor.Tasks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class StickyTaskAssignorProperties {
    private final StickyTaskAssignor assignor = new StickyTaskAssignor();

    @Property(tries = 500)
    void assign_throughRandomHistories_isCompleteBalancedAndSettled(@ForAll long seed) {
        Random random = new Random(seed);
        List<Subtopology> subtopologies = subtopologies(random);
        int standbys = random.nextInt(3);
        TreeMap<String, Member> members = new TreeMap<>();
        for (int round = 0; round < 6; round++) {
            change(members, random);
            Tasks tasks = new Tasks(members, subtopologies, standbys);

            SortedMap<String, TaskAssignment> assigned = assignor.assign(tasks);

            assertThat(assigned.keySet()).isEqualTo(members.keySet());
            checkActive(tasks, assigned);
            checkCopies(tasks, assigned);
            remember(members, assigned);
            assertThat(assignor.assign(new Tasks(members, subtopologies, standbys)))
                    .isEqualTo(assigned);
        }
    }

    @Property(tries = 500)
    void assign_whenOneMemberJoins_movesOnlyToIt_andWhenOneLeaves_onlyItsTasks(@ForAll long seed) {
        Random random = new Random(seed);
        List<Subtopology> subtopologies = subtopologies(random);
        int standbys = random.nextInt(3);
        TreeMap<String, Member> members = new TreeMap<>();
        for (int member = 0; member <= random.nextInt(6); member++) {
            members.put("m" + member, new Member("p" + random.nextInt(4), TaskAssignment.EMPTY));
        }
        SortedMap<String, TaskAssignment> before = assignor.assign(new Tasks(members, subtopologies, standbys));
        remember(members, before);

        TreeMap<String, Member> joined = new TreeMap<>(members);
        joined.put(random.nextBoolean() ? "a" : "z", new Member("p" + random.nextInt(5), TaskAssignment.EMPTY));
        SortedMap<String, TaskAssignment> afterJoin = assignor.assign(new Tasks(joined, subtopologies, standbys));
        TreeMap<String, Member> left = new TreeMap<>(members);
        left.pollFirstEntry();
        SortedMap<String, TaskAssignment> afterLeave =
                left.isEmpty() ? new TreeMap<>() : assignor.assign(new Tasks(left, subtopologies, standbys));

        before.forEach((id, had) -> {
            assertThat(had.active().containsAll(active(afterJoin, id))).isTrue();
            if (left.containsKey(id)) {
                assertThat(active(afterLeave, id).containsAll(had.active())).isTrue();
            }
        });
    }

    private static Partitions<String> active(SortedMap<String, TaskAssignment> assigned, String id) {
        return assigned.getOrDefault(id, TaskAssignment.EMPTY).active();
    }

    @Property(tries = 500)
    void assign_ofProcessesInZones_putsCopiesApart(@ForAll long seed) {
        StatefulLife life = new StatefulLife(new Random(seed), false);
        for (int round = 0; round < 4; round++) {
            life.change();
            Tasks tasks = life.tasks();

            SortedMap<String, TaskAssignment> assigned = assignor.assign(tasks);

            new AssignmentChecks(tasks, assigned)
                    .complete()
                    .balanced(id -> true)
                    .copiesApart()
                    .zonesApart();
            life.follow(assigned);
        }
    }

    private static List<Subtopology> subtopologies(Random random) {
        List<Subtopology> subtopologies = new ArrayList<>();
        for (int id = 0; id <= random.nextInt(3); id++) {
            subtopologies.add(new Subtopology("s" + id, random.nextInt(8), random.nextBoolean()));
        }
        return subtopologies;
    }

    private static void change(SortedMap<String, Member> members, Random random) {
        members.keySet().removeIf(id -> random.nextInt(4) == 0);
        int joining = (members.isEmpty() ? 1 : 0) + random.nextInt(3);
        for (int member = 0; member < joining; member++) {
            members.put("m" + random.nextInt(10), new Member("p" + random.nextInt(4), TaskAssignment.EMPTY));
        }
    }

    private static void remember(SortedMap<String, Member> members, SortedMap<String, TaskAssignment> assigned) {
        assigned.forEach(
                (id, tasks) -> members.computeIfPresent(id, (same, member) -> new Member(member.processId(), tasks)));
    }

    private static void checkActive(Tasks tasks, SortedMap<String, TaskAssignment> assigned) {
        List<String> active = new ArrayList<>();
        assigned.values().forEach(mine -> mine.active().forEach((id, partition) -> active.add(id + partition)));
        List<String> wanted = new ArrayList<>();
        tasks.subtopologies().forEach(subtopology -> {
            for (int partition = 0; partition < subtopology.taskCount(); partition++) {
                wanted.add(subtopology.id() + partition);
            }
        });
        assertThat(active).containsExactlyInAnyOrderElementsOf(wanted);
        int least = wanted.size() / assigned.size();
        int most = (wanted.size() + assigned.size() - 1) / assigned.size();
        assertThat(assigned.values())
                .allSatisfy(mine -> assertThat(mine.active().size()).isBetween(least, most));
    }

    private static void checkCopies(Tasks tasks, SortedMap<String, TaskAssignment> assigned) {
        Set<String> places = new HashSet<>();
        List<String> all = new ArrayList<>();
        assigned.forEach((member, mine) -> {
            String process = java.util.Objects.requireNonNull(tasks.members().get(member))
                    .processId();
            mine.active().plus(mine.standby()).forEach((id, partition) -> places.add(process + "/" + id + partition));
            mine.active().forEach((id, partition) -> all.add(id + partition));
            mine.standby().forEach((id, partition) -> all.add(id + partition));
        });
        assertThat(places).hasSameSizeAs(all);
        long processes = tasks.members().values().stream()
                .map(Member::processId)
                .distinct()
                .count();
        long copies = Math.min(tasks.copies().standbys(), processes - 1);
        int wanted = tasks.subtopologies().stream()
                .mapToInt(subtopology -> subtopology.taskCount() * (int) (subtopology.stateful() ? 1 + copies : 1))
                .sum();
        assertThat(all).hasSize(wanted);
    }
}
