package io.muster.core.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Partitions;
import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.TaskAssignment;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskReconciliationTest {
    private static final TaskReconciliation.Rules FREE =
            new TaskReconciliation.Rules((id, task) -> false, (id, task) -> false, (id, task) -> true);

    private static final TaskReconciliation.Rules TAKEN =
            new TaskReconciliation.Rules((id, task) -> true, (id, task) -> false, (id, task) -> true);

    @Test
    void next_ofMemberAtItsTarget_changesNothing() {
        // Given
        CurrentSet current = at(3, active(0, 1), none());

        // When
        TaskReconciliation.Step step = step(current, active(0, 1), 3, Optional.empty(), FREE);

        // Then
        assertThat(step.current()).isEqualTo(current);
    }

    @Test
    void next_withSurplusTasks_asksForThemAndKeepsTheEpoch() {
        // When
        TaskReconciliation.Step step = step(at(3, active(0, 1), none()), active(0, 2), 4, Optional.empty(), FREE);

        // Then
        assertThat(step.current()).isEqualTo(revoking(active(0), active(1)));
    }

    @Test
    void next_withSurplusTasksThatItDoesNotOwn_goesOnAtOnce() {
        // When
        TaskReconciliation.Step step = step(at(3, active(0, 1), none()), active(0, 2), 4, Optional.of(active(0)), FREE);

        // Then
        assertThat(step.current()).isEqualTo(moved(4, 3, active(0, 2)));
    }

    @Test
    void next_whileTasksAreNotGivenUp_waits() {
        // Given
        CurrentSet current = at(3, active(0), active(1));

        // Then
        assertThat(step(current, active(0, 2), 4, Optional.empty(), FREE).current())
                .isEqualTo(current);
        assertThat(step(current, active(0, 2), 4, Optional.of(active(0, 1)), FREE)
                        .current())
                .isEqualTo(current);
    }

    @Test
    void next_onceTasksAreGivenUp_reachesTheTargetEpoch() {
        // When
        TaskReconciliation.Step step = step(at(3, active(0), active(1)), active(0, 2), 6, Optional.of(active(0)), FREE);

        // Then
        assertThat(step.current()).isEqualTo(moved(6, 3, active(0, 2)));
    }

    @Test
    void next_withMoreToGiveUpUnderANewTarget_movesOneEpoch() {
        // When
        TaskReconciliation.Step step =
                step(at(3, active(0, 2), active(1)), active(0), 6, Optional.of(active(0, 2)), FREE);

        // Then
        assertThat(step.current()).isEqualTo(new CurrentSet("m", 4, 3, active(0), active(2)));
    }

    @Test
    void next_withTasksThatOthersHave_takesTheEpochAndWaitsForThem() {
        // Given
        TaskReconciliation.Rules taken =
                new TaskReconciliation.Rules((id, task) -> task == 1, (id, task) -> false, (id, task) -> true);

        // When
        TaskReconciliation.Step step = step(at(3, none(), none()), active(0, 1), 4, Optional.empty(), taken);

        // Then
        assertThat(step.current()).isEqualTo(moved(4, 3, active(0)));
        assertThat(step.withheld()).isFalse();
    }

    @Test
    void next_withFreeTasksThatMayBeCommittedStill_withholdsThem() {
        // Given
        TaskReconciliation.Rules unsafe =
                new TaskReconciliation.Rules((id, task) -> false, (id, task) -> false, (id, task) -> task != 1);

        // When
        TaskReconciliation.Step step = step(at(3, none(), none()), active(0, 1), 4, Optional.empty(), unsafe);

        // Then
        assertThat(step.current()).isEqualTo(moved(4, 3, active(0)));
        assertThat(step.withheld()).isTrue();
    }

    @Test
    void next_withACopyInItsProcess_keepsNoSecondOne() {
        // Given
        TaskReconciliation.Rules near =
                new TaskReconciliation.Rules((id, task) -> false, (id, task) -> true, (id, task) -> true);
        TaskAssignment target = new TaskAssignment(Partitions.none(), Partitions.of("0", 5), Partitions.none());

        // When
        TaskReconciliation.Step step = step(at(3, none(), none()), target, 4, Optional.empty(), near);

        // Then
        assertThat(step.current()).isEqualTo(moved(4, 3, none()));
    }

    @Test
    void next_fromStandbyToActive_changesTheRoleAtOnce() {
        // When
        TaskReconciliation.Step step = step(at(3, standby(1), none()), active(1), 4, Optional.empty(), FREE);

        // Then
        assertThat(step.current()).isEqualTo(moved(4, 3, active(1)));
    }

    @Test
    void next_fromStandbyToActiveThatAnotherRuns_keepsTheCopyMeanwhile() {
        // When
        TaskReconciliation.Step step = step(at(3, standby(1), none()), active(1), 4, Optional.empty(), TAKEN);

        // Then
        assertThat(step.current()).isEqualTo(moved(4, 3, standby(1)));
    }

    @Test
    void next_fromWarmupToActiveWhileOthersAreGivenUp_keepsTheCopyMeanwhile() {
        // When
        TaskReconciliation.Step step =
                step(at(3, active(0).plus(warmup(1)), none()), active(1), 4, Optional.empty(), FREE);

        // Then
        assertThat(step.current()).isEqualTo(revoking(warmup(1), active(0)));
    }

    @Test
    void next_fromActiveToStandby_hasTheCopyWhileItGivesUpTheTask() {
        // When
        TaskReconciliation.Step step =
                step(at(3, active(0, 1), none()), active(0).plus(standby(1)), 4, all(), FREE);

        // Then
        assertThat(step.current()).isEqualTo(revoking(active(0).plus(standby(1)), active(1)));
    }

    @Test
    void next_betweenStandbyAndWarmup_changesTheRoleAtOnce() {
        // Given
        CurrentSet current = at(3, standby(0).plus(warmup(1)), none());

        // When
        TaskReconciliation.Step step = step(current, warmup(0).plus(standby(1)), 4, all(), FREE);

        // Then
        assertThat(step.current()).isEqualTo(moved(4, 3, warmup(0).plus(standby(1))));
    }

    private static TaskReconciliation.Step step(
            CurrentSet current,
            TaskAssignment target,
            int epoch,
            Optional<TaskAssignment> owned,
            TaskReconciliation.Rules rules) {
        return new TaskReconciliation(current, target, epoch, owned, rules).next();
    }

    private static CurrentSet at(int epoch, TaskAssignment assigned, TaskAssignment pending) {
        return new CurrentSet("m", epoch, 2, assigned, pending);
    }

    private static CurrentSet revoking(TaskAssignment assigned, TaskAssignment pending) {
        return new CurrentSet("m", 3, 3, assigned, pending);
    }

    private static CurrentSet moved(int epoch, int previous, TaskAssignment assigned) {
        return new CurrentSet("m", epoch, previous, assigned, none());
    }

    private static TaskAssignment active(Integer... tasks) {
        return new TaskAssignment(Partitions.of("0", tasks), Partitions.none(), Partitions.none());
    }

    private static TaskAssignment standby(Integer... tasks) {
        return new TaskAssignment(Partitions.none(), Partitions.of("0", tasks), Partitions.none());
    }

    private static TaskAssignment warmup(Integer... tasks) {
        return new TaskAssignment(Partitions.none(), Partitions.none(), Partitions.of("0", tasks));
    }

    /** A member that says that it owns tasks 0 and 1 in every role. */
    private static Optional<TaskAssignment> all() {
        return Optional.of(active(0, 1).plus(standby(0, 1)).plus(warmup(0, 1)));
    }

    private static TaskAssignment none() {
        return TaskAssignment.EMPTY;
    }
}
