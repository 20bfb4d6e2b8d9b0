package io.muster.core.claim;

import static io.muster.core.claim.ClaimStory.P0;
import static io.muster.core.claim.ClaimStory.SESSION_MILLIS;
import static io.muster.core.claim.ClaimStory.commit;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Claim;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.CommitCommand;
import io.muster.core.Decision;
import io.muster.core.TimerChange;
import io.muster.core.TimerKey;
import org.junit.jupiter.api.Test;

/** Hand-overs, and the fences that they wait for. */
class ClaimFenceTest {
    private static final ClaimIdentity FIRST = new ClaimIdentity("first", 1);
    private static final ClaimIdentity SECOND = new ClaimIdentity("second", 1);

    private final ClaimStory story = new ClaimStory();

    @Test
    void handOver_withNothingInFlight_needsNoFence() {
        // Given
        story.heldAs(FIRST, "a", "b");

        // Then
        assertThat(story.mayHandOver(P0, "b")).isTrue();
        assertThat(story.asked()).isEmpty();
    }

    @Test
    void handOver_whileAnotherMembersCommitIsInFlight_waitsForItOrForTheFence() {
        // Given
        story.heldAs(FIRST, "a", "b");
        story.accept(commit("c1", "a", P0));

        // When
        boolean may = story.mayHandOver(P0, "b");

        // Then
        assertThat(may).isFalse();
        assertThat(story.asked()).containsExactly(new ClaimOperation.Fence(FIRST, SESSION_MILLIS));
        story.report(new ClaimOutcome.Fenced(SECOND));
        assertThat(story.claim()).isEqualTo(new Claim.Held(SECOND, SESSION_MILLIS));
        assertThat(story.mayHandOver(P0, "b")).isTrue();
    }

    @Test
    void handOver_toTheMemberWhoseCommitIsInFlight_isAllowed() {
        // Given
        story.heldAs(FIRST, "a");
        story.accept(commit("c1", "a", P0));

        // Then
        assertThat(story.mayHandOver(P0, "a")).isTrue();
    }

    @Test
    void handOver_afterTheCommitIsSettled_needsNoFence() {
        // Given
        story.heldAs(FIRST, "a", "b");
        story.accept(commit("c1", "a", P0));
        story.accept(new CommitCommand.Settled("g", "c1", false));

        // Then
        assertThat(story.mayHandOver(P0, "b")).isTrue();
    }

    @Test
    void newLeader_fencesBeforeAnybodyAsksForAHandOver() {
        // Given
        story.heldAs(FIRST, "a", "b");

        // When
        story.newLeader();

        // Then
        assertThat(story.asked()).containsExactly(new ClaimOperation.Fence(FIRST, SESSION_MILLIS));
        assertThat(story.mayHandOver(P0, "b")).isFalse();
        assertThat(story.asked()).isEmpty();
        story.report(new ClaimOutcome.Fenced(SECOND));
        assertThat(story.mayHandOver(P0, "b")).isTrue();
    }

    @Test
    void newLeader_ofAnEmptyGroup_asksWhetherTheClaimStands() {
        // Given
        story.heldAs(FIRST);

        // When
        story.newLeader();

        // Then
        assertThat(story.asked()).containsExactly(new ClaimOperation.Heartbeat(FIRST));
    }

    @Test
    void fence_thatRunsLate_andReplacesTheIdentity_isHealedByTheNextRefusal() {
        // Given
        story.heldAs(FIRST, "a");
        story.newLeader();
        story.report(new ClaimOutcome.Unavailable("the gateway did not report in time"));
        story.fires(TimerKey.Kind.CLAIM_RETRY);
        story.report(new ClaimOutcome.Fenced(SECOND));

        // When
        story.accept(commit("c1", "a", P0));
        story.accept(new CommitCommand.Settled("g", "c1", true));

        // Then
        assertThat(story.asked()).containsExactly(new ClaimOperation.Fence(SECOND, SESSION_MILLIS));
        story.report(new ClaimOutcome.Fenced(new ClaimIdentity("third", 1)));
        assertThat(story.openedUp()).isFalse();
    }

    @Test
    void fenced_ofAnEarlierFence_isIgnored() {
        // Given
        story.heldAs(FIRST, "a", "b");
        story.newLeader();
        story.mayHandOver(P0, "b");
        story.report(new ClaimOutcome.Fenced(SECOND));

        // When
        story.report(new ClaimOperation.Fence(FIRST, SESSION_MILLIS), new ClaimOutcome.Fenced(FIRST));

        // Then
        assertThat(story.claim()).isEqualTo(new Claim.Held(SECOND, SESSION_MILLIS));
    }

    @Test
    void fence_thatFails_isTriedAgainAfterABackOff() {
        // Given
        story.heldAs(FIRST, "a", "b");
        story.newLeader();
        story.mayHandOver(P0, "b");

        // When
        Decision failed = story.report(new ClaimOutcome.Unavailable("coordinator is away"));

        // Then
        assertThat(failed.effects()).isEmpty();
        assertThat(story.described()).contains("coordinator is away").contains("hand-overs need a fence");
        story.fires(TimerKey.Kind.CLAIM_RETRY);
        assertThat(story.asked()).containsExactly(new ClaimOperation.Fence(FIRST, SESSION_MILLIS));
    }

    @Test
    void heartbeat_thatFails_isSentAgainAndKeepsNoFenceWaiting() {
        // Given
        story.heldAs(FIRST, "a", "b");
        story.accept(commit("c1", "a", P0));
        story.fires(TimerKey.Kind.CLAIM_HEARTBEAT);

        // When
        story.report(new ClaimOutcome.Unavailable("timed out"));

        // Then
        assertThat(story.last().timers())
                .contains(new TimerChange.Arm(new TimerKey(TimerKey.Kind.CLAIM_HEARTBEAT, ""), 100, 0));
        assertThat(story.mayHandOver(P0, "b")).isFalse();
        assertThat(story.asked()).containsExactly(new ClaimOperation.Fence(FIRST, SESSION_MILLIS));
    }
}
