package io.muster.core.claim;

import static io.muster.core.claim.ClaimStory.P0;
import static io.muster.core.claim.ClaimStory.SESSION_MILLIS;
import static io.muster.core.claim.ClaimStory.commit;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.CommitCommand;
import io.muster.core.TimerKey;
import org.junit.jupiter.api.Test;

/** The claim of a live group that has left for a moment, so that offsets can be deleted, and comes back. */
class SteppedAsideClaimTest {
    private static final ClaimIdentity FIRST = new ClaimIdentity("first", 1);
    private static final ClaimIdentity SECOND = new ClaimIdentity("second", 1);

    private final ClaimStory story = new ClaimStory();

    @Test
    void join_waitsForNoMoreThanTheLock() {
        // Given
        stepAside();
        assertThat(story.join(true)).isFalse();

        // When
        story.report(new ClaimOutcome.Locked());

        // Then
        assertThat(story.join(true)).isTrue();
        assertThat(story.mayHandOver(P0, "b")).isTrue();
    }

    @Test
    void commit_waitsUntilTheClaimIsHeld() {
        // Given
        stepAside();
        story.report(new ClaimOutcome.Locked());

        // When
        boolean waits = story.accept(commit("c1", "a", P0)).waiting().contains(0);

        // Then
        assertThat(waits).isTrue();
        story.report(new ClaimOutcome.Joined(SECOND, SESSION_MILLIS));
        assertThat(story.openedUp()).isFalse();
        assertThat(story.accept(commit("c1", "a", P0)).waiting()).isEmpty();
    }

    @Test
    void deletionOfOffsets_ofALiveGroup_stepsAsideAndComesBack() {
        // Given
        story.heldAs(FIRST, "a");

        // When
        assertThat(story.admitsDelete("d1", true)).isFalse();
        assertThat(story.asked()).containsExactly(new ClaimOperation.Leave(FIRST));
        story.report(new ClaimOutcome.Left());

        // Then
        assertThat(story.asked()).isEmpty();
        assertThat(story.admitsDelete("d1", true)).isTrue();
        assertThat(story.accept(commit("c1", "a", P0)).waiting()).containsExactly(0);
        story.accept(new CommitCommand.Settled("g", "d1", false));
        assertThat(story.asked()).containsExactly(new ClaimOperation.Join(SESSION_MILLIS));
        story.report(new ClaimOutcome.Joined(SECOND, SESSION_MILLIS));
        assertThat(story.openedUp()).isFalse();
    }

    @Test
    void deletionOfOffsets_afterWhichTheClaimCannotComeBackForAWhile_leavesNobodyWhatTheyHave() {
        // Given
        story.heldAs(FIRST, "a");
        story.admitsDelete("d1", true);
        story.report(new ClaimOutcome.Left());
        story.admitsDelete("d1", true);
        story.accept(new CommitCommand.Settled("g", "d1", false));

        // When
        story.report(new ClaimOutcome.Unavailable("upstream is away"));
        story.fires(TimerKey.Kind.CLAIM_RETRY);
        story.report(new ClaimOutcome.Joined(SECOND, SESSION_MILLIS));

        // Then
        assertThat(story.openedUp()).isTrue();
    }

    /** Offsets were deleted, and the claim is asked for again. */
    private void stepAside() {
        story.heldAs(FIRST, "a");
        assertThat(story.admitsDelete("d", true)).isFalse();
        story.report(new ClaimOutcome.Left());
        assertThat(story.admitsDelete("d", true)).isTrue();
        story.accept(new CommitCommand.Settled("g", "d", false));
        assertThat(story.asked()).hasOnlyElementsOfType(ClaimOperation.Join.class);
    }
}
