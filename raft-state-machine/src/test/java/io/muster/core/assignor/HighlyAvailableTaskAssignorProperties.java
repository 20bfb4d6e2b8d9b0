package io.muster.core.assignor;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.assignor.TaskAssignor.Member;
import io.muster.core.assignor.TaskAssignor.Tasks;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class HighlyAvailableTaskAssignorProperties {
    private final HighlyAvailableTaskAssignor assignor = new HighlyAvailableTaskAssignor();

    @Property(tries = 500)
    void assign_throughAnyLife_keepsTasksWhereTheyAreCaughtUp(@ForAll long seed) {
        Random random = new Random(seed);
        StatefulLife life = new StatefulLife(random, true);
        for (int round = 0; round < 8; round++) {
            life.change();
            life.restore(false);
            Tasks tasks = life.tasks();

            SortedMap<String, TaskAssignment> assigned = assignor.assign(tasks);

            new AssignmentChecks(tasks, assigned).complete().copiesApart();
            checkCaughtUp(life, tasks, assigned);
            checkWarmups(life, tasks, assigned);
            life.follow(assigned);
        }
    }

    @Property(tries = 500)
    void assign_whenNothingChanged_changesNothing(@ForAll long seed) {
        Random random = new Random(seed);
        StatefulLife life = new StatefulLife(random, true);
        for (int round = 0; round < 6; round++) {
            life.change();
            SortedMap<String, TaskAssignment> assigned = assignor.assign(life.tasks());
            life.follow(assigned);
            assertThat(assignor.assign(life.tasks())).isEqualTo(assigned);
        }
    }

    @Property(tries = 300)
    void assign_asCopiesCatchUp_endsBalanced(@ForAll long seed) {
        Random random = new Random(seed);
        StatefulLife life = new StatefulLife(random, false);
        for (int round = 0; round < 4; round++) {
            life.change();
            settle(life);

            Tasks tasks = life.tasks();
            SortedMap<String, TaskAssignment> assigned = assignor.assign(tasks);

            new AssignmentChecks(tasks, assigned)
                    .complete()
                    .copiesApart()
                    .balanced(life::isStateful)
                    .balanced(id -> true)
                    .zonesApart();
            assertThat(assigned.values())
                    .allSatisfy(mine -> assertThat(mine.warmup().isEmpty()).isTrue());
        }
    }

    /** Tasks of who left may run with few members only, which then give up others. */
    @Property(tries = 300)
    void assign_whenOneMemberLeaves_takesNothingFromWhoGetsNothing(@ForAll long seed) {
        StatefulLife life = new StatefulLife(new Random(seed), false);
        life.change();
        settle(life);
        Tasks before = life.tasks();
        TreeMap<String, Member> left = new TreeMap<>(before.members());
        left.pollFirstEntry();
        if (left.isEmpty()) {
            return;
        }

        SortedMap<String, TaskAssignment> assigned =
                assignor.assign(new Tasks(left, before.subtopologies(), before.copies()));

        left.forEach((id, member) -> {
            Partitions<String> had = member.previous().active();
            Partitions<String> has =
                    assigned.getOrDefault(id, TaskAssignment.EMPTY).active();
            assertThat(has.containsAll(had) || !had.containsAll(has)).isTrue();
        });
    }

    /** Lets copies catch up and assigns again until nothing changes any more. */
    private void settle(StatefulLife life) {
        SortedMap<String, TaskAssignment> before = new TreeMap<>();
        SortedMap<String, TaskAssignment> next = assignor.assign(life.tasks());
        int steps = 0;
        while (!next.equals(before)) {
            assertThat(steps++).isLessThan(100);
            life.follow(next);
            life.restore(true);
            before = next;
            next = assignor.assign(life.tasks());
        }
    }

    private static void checkCaughtUp(StatefulLife life, Tasks tasks, SortedMap<String, TaskAssignment> assigned) {
        assigned.forEach((memberId, mine) -> mine.active().forEach((id, partition) -> {
            String process = member(tasks, memberId).processId();
            boolean caughtUpSomewhere = tasks.members().values().stream()
                    .anyMatch(member -> life.caughtUp(member.processId()).contains(id, partition));
            if (life.isStateful(id) && caughtUpSomewhere) {
                assertThat(life.caughtUp(process).contains(id, partition))
                        .as("%s_%s with %s of %s", id, partition, memberId, tasks)
                        .isTrue();
            }
        }));
    }

    private static void checkWarmups(StatefulLife life, Tasks tasks, SortedMap<String, TaskAssignment> assigned) {
        int[] count = {0};
        assigned.forEach((memberId, mine) -> {
            Partitions<String> warmup = mine.warmup();
            count[0] += warmup.size();
            warmup.forEach((id, partition) -> {
                assertThat(life.isStateful(id)).isTrue();
                assertThat(member(tasks, memberId).state().reports()).isTrue();
            });
        });
        assertThat(count[0]).isLessThanOrEqualTo(tasks.copies().warmups());
    }

    private static Member member(Tasks tasks, String id) {
        return Objects.requireNonNull(tasks.members().get(id));
    }
}
