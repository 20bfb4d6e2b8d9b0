package io.muster.core.claim;

import static io.muster.core.claim.ClaimStory.P0;
import static io.muster.core.claim.ClaimStory.SESSION_MILLIS;
import static io.muster.core.claim.ClaimStory.commit;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.CommitCommand;
import io.muster.core.Decision;
import io.muster.core.Response;
import io.muster.core.TimerChange;
import io.muster.core.TimerKey;
import org.junit.jupiter.api.Test;

/** Commits under the claim, from their admission until they are settled. */
class ClaimedCommitTest {
    private static final ClaimIdentity FIRST = new ClaimIdentity("first", 1);
    private static final ClaimIdentity SECOND = new ClaimIdentity("second", 1);

    private final ClaimStory story = new ClaimStory();

    @Test
    void commit_duringAFence_waitsAndCarriesTheNewIdentity() {
        // Given
        story.heldAs(FIRST, "a", "b");
        story.newLeader();
        story.mayHandOver(P0, "b");

        // When
        Decision during = story.accept(commit("c1", "a", P0));
        story.report(new ClaimOutcome.Fenced(SECOND));
        Decision after = story.accept(commit("c1", "a", P0));

        // Then
        assertThat(during.waiting()).containsExactly(0);
        assertThat(after.replies().get(0).response()).isEqualTo(new Response.CommitAdmitted(SECOND));
    }

    @Test
    void commit_refusedUnderTheCurrentIdentity_leadsToAFence() {
        // Given
        story.heldAs(FIRST, "a");
        story.accept(commit("c1", "a", P0));

        // When
        story.accept(new CommitCommand.Settled("g", "c1", true));

        // Then
        assertThat(story.asked()).containsExactly(new ClaimOperation.Fence(FIRST, SESSION_MILLIS));
    }

    @Test
    void commitsThatNobodyEverSettles_areFenced() {
        // Given
        story.heldAs(FIRST, "a");
        Decision first = story.accept(commit("c1", "a", P0));
        story.pass(20_000);
        story.accept(commit("c2", "a", P0));
        assertThat(first.timers())
                .containsExactly(new TimerChange.Arm(new TimerKey(TimerKey.Kind.CLAIM_SETTLE, ""), 30_000, 0));

        // When
        story.pass(10_000);
        story.fires(TimerKey.Kind.CLAIM_SETTLE);

        // Then
        assertThat(story.asked()).containsExactly(new ClaimOperation.Fence(FIRST, SESSION_MILLIS));
        story.report(new ClaimOutcome.Fenced(SECOND));
        assertThat(story.memory().commits().inFlight()).isEmpty();
    }

    @Test
    void commitsThatAreSettled_areNotFenced() {
        // Given
        story.heldAs(FIRST, "a");
        story.accept(commit("c1", "a", P0));
        story.accept(new CommitCommand.Settled("g", "c1", false));
        story.pass(20_000);
        story.accept(commit("c2", "a", P0));
        story.accept(new CommitCommand.Settled("g", "c2", false));
        story.pass(5_000);
        story.accept(commit("c3", "a", P0));

        // When
        story.pass(25_000);
        story.fires(TimerKey.Kind.CLAIM_SETTLE);

        // Then
        assertThat(story.asked()).isEmpty();
        assertThat(story.last().timers())
                .hasSize(1)
                .allSatisfy(change ->
                        assertThat(((TimerChange.Arm) change).delayMillis()).isBetween(4_900L, 5_000L));
    }
}
