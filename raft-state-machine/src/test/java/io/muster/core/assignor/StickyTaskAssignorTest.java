package io.muster.core.assignor;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Partitions;
import io.muster.core.TaskAssignment;
import io.muster.core.assignor.TaskAssignor.Member;
import io.muster.core.assignor.TaskAssignor.Subtopology;
import io.muster.core.assignor.TaskAssignor.Tasks;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StickyTaskAssignorTest {
    private final StickyTaskAssignor assignor = new StickyTaskAssignor();

    @Test
    void assign_toNewMembers_splitsEvenly() {
        // When
        SortedMap<String, TaskAssignment> assigned =
                assign(Map.of("a", fresh("p1"), "b", fresh("p2")), 0, new Subtopology("0", 4, false));

        // Then
        assertThat(assigned.get("a").active()).isEqualTo(Partitions.of("0", 0, 2));
        assertThat(assigned.get("b").active()).isEqualTo(Partitions.of("0", 1, 3));
    }

    @Test
    void assign_whenAMemberJoins_movesNoMoreThanItsShare() {
        // Given
        Member before = new Member("p1", active(Partitions.of("0", 0, 1, 2, 3)));

        // When
        SortedMap<String, TaskAssignment> assigned =
                assign(Map.of("a", before, "b", fresh("p2")), 0, new Subtopology("0", 4, false));

        // Then
        assertThat(assigned.get("a").active()).isEqualTo(Partitions.of("0", 0, 1));
        assertThat(assigned.get("b").active()).isEqualTo(Partitions.of("0", 2, 3));
    }

    @Test
    void assign_whenTheOwnerIsGone_prefersTheHolderOfACopy() {
        // Given
        Member holder =
                new Member("p1", new TaskAssignment(Partitions.none(), Partitions.of("0", 1), Partitions.none()));

        // When
        SortedMap<String, TaskAssignment> assigned =
                assign(Map.of("z", holder, "a", fresh("p2")), 0, new Subtopology("0", 2, true));

        // Then
        assertThat(assigned.get("z").active()).isEqualTo(Partitions.of("0", 1));
    }

    @Test
    void assign_toAProcessWithMoreMembers_givesItMore() {
        // When
        SortedMap<String, TaskAssignment> assigned = assign(
                Map.of("a1", fresh("p1"), "a2", fresh("p1"), "b", fresh("p2")), 0, new Subtopology("0", 6, false));

        // Then
        assertThat(assigned.values())
                .allSatisfy(tasks -> assertThat(tasks.active().size()).isEqualTo(2));
    }

    @Test
    void assign_withStandbys_keepsCopiesInOtherProcesses() {
        // When
        SortedMap<String, TaskAssignment> assigned =
                assign(Map.of("a", fresh("p1"), "b", fresh("p2")), 1, new Subtopology("0", 2, true));

        // Then
        assertThat(assigned.get("a").standby()).isEqualTo(assigned.get("b").active());
        assertThat(assigned.get("b").standby()).isEqualTo(assigned.get("a").active());
    }

    @Test
    void assign_withStandbysInOneProcess_givesNone() {
        // When
        SortedMap<String, TaskAssignment> assigned =
                assign(Map.of("a", fresh("p1"), "b", fresh("p1")), 1, new Subtopology("0", 2, true));

        // Then
        assertThat(assigned.values())
                .allSatisfy(tasks -> assertThat(tasks.standby().isEmpty()).isTrue());
    }

    @Test
    void assign_ofStatelessTasks_givesNoCopies() {
        // When
        SortedMap<String, TaskAssignment> assigned =
                assign(Map.of("a", fresh("p1"), "b", fresh("p2")), 2, new Subtopology("0", 2, false));

        // Then
        assertThat(assigned.values())
                .allSatisfy(tasks -> assertThat(tasks.standby().isEmpty()).isTrue());
    }

    @Test
    void assign_toMembersThatTakeNothingNew_leavesThemTheirShareOfWhatTheyHave() {
        // Given
        Member a = bound("p1", active(Partitions.of("0", 0, 1, 2, 3)));
        Member b = bound("p2", active(Partitions.of("0", 4, 5, 6, 7, 8)));

        // When
        SortedMap<String, TaskAssignment> assigned =
                assign(Map.of("a", a, "b", b, "c", fresh("p3")), 0, new Subtopology("0", 9, false));

        // Then
        assertThat(assigned.values())
                .allSatisfy(tasks -> assertThat(tasks.active().size()).isEqualTo(3));
        assertThat(assigned.get("a").minus(a.previous()).isEmpty()).isTrue();
        assertThat(assigned.get("b").minus(b.previous()).isEmpty()).isTrue();
    }

    @Test
    void assign_whenOnlySomeTakeNewTasks_evensOutAmongThem() {
        // Given
        Member old = bound("p1", active(Partitions.of("0", 0)));
        Member left = new Member("p2", active(Partitions.of("0", 1, 2, 3, 4)));
        Member right = new Member("p3", active(Partitions.of("0", 5, 6, 7, 8)));

        // When
        SortedMap<String, TaskAssignment> assigned =
                assign(Map.of("a", old, "b", left, "c", right), 0, new Subtopology("0", 9, false));

        // Then
        assertThat(assigned.get("a")).isEqualTo(old.previous());
        assertThat(assigned.get("b")).isEqualTo(left.previous());
        assertThat(assigned.get("c")).isEqualTo(right.previous());
    }

    @Test
    void assign_whenNobodyTakesNewTasks_leavesTheRestWithoutAnOwner() {
        // Given
        Member much = bound("p1", active(Partitions.of("0", 0, 1, 2, 3)));
        Member copy =
                bound("p2", new TaskAssignment(Partitions.of("gone", 0), Partitions.of("0", 0, 5), Partitions.none()));

        // When
        SortedMap<String, TaskAssignment> assigned =
                assign(Map.of("a", much, "b", copy), 1, new Subtopology("0", 6, true));

        // Then
        assertThat(assigned.get("a")).isEqualTo(much.previous());
        assertThat(assigned.get("b").active().isEmpty()).isTrue();
        assertThat(assigned.get("b").standby()).isEqualTo(Partitions.of("0", 0, 5));
    }

    private SortedMap<String, TaskAssignment> assign(
            Map<String, Member> members, int standbys, Subtopology... subtopologies) {
        return assignor.assign(new Tasks(new TreeMap<>(members), List.of(subtopologies), standbys));
    }

    private static Member fresh(String processId) {
        return new Member(processId, TaskAssignment.EMPTY);
    }

    private static Member bound(String processId, TaskAssignment previous) {
        return new Member(processId, previous, false);
    }

    private static TaskAssignment active(Partitions<String> tasks) {
        return new TaskAssignment(tasks, Partitions.none(), Partitions.none());
    }
}
