package io.muster.core.claim;

import static io.muster.core.claim.ClaimStory.P0;
import static io.muster.core.claim.ClaimStory.SESSION_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Claim;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.TimerKey;
import org.junit.jupiter.api.Test;

/** What becomes of members when the claim falls, or others may have had the group. */
class LostClaimTest {
    private static final ClaimIdentity FIRST = new ClaimIdentity("first", 1);
    private static final ClaimIdentity SECOND = new ClaimIdentity("second", 1);

    private final ClaimStory story = new ClaimStory();

    @Test
    void heartbeat_answeredLost_stopsHandOversAndTakesTheClaimAgain() {
        // Given
        story.heldAs(FIRST, "a", "b");
        story.fires(TimerKey.Kind.CLAIM_HEARTBEAT);
        assertThat(story.asked()).containsExactly(new ClaimOperation.Heartbeat(FIRST));

        // When
        story.report(new ClaimOutcome.Lost("unknown member", true));

        // Then
        assertThat(story.claim()).isEqualTo(new Claim.Lost("unknown member", true));
        assertThat(story.asked()).containsExactly(new ClaimOperation.Join(SESSION_MILLIS));
        assertThat(story.mayHandOver(P0, "b")).isFalse();
        assertThat(story.mayKeep()).isFalse();
        assertThat(story.described()).startsWith("lost: unknown member");
        story.report(new ClaimOutcome.Joined(SECOND, SESSION_MILLIS));
        assertThat(story.mayHandOver(P0, "b")).isTrue();
    }

    @Test
    void lock_thatFallsBeforeItIsDurable_costsMembersWhatTheyHave_untilTheClaimIsHeld() {
        // Given
        story.join(true);
        story.report(new ClaimOutcome.Locked());
        story.members("a");
        assertThat(story.mayKeep()).isTrue();

        // When
        story.report(new ClaimOutcome.OwnedElsewhere(ClaimOutcome.Occupants.CONSUMERS, "a classic group lives there"));

        // Then
        assertThat(story.claim()).isEqualTo(new Claim.Lost("a classic group lives there", true));
        assertThat(story.mayKeep()).isFalse();
        story.fires(TimerKey.Kind.CLAIM_RETRY);
        story.report(new ClaimOutcome.Unavailable("no coordinator"));
        assertThat(story.mayKeep()).isFalse();
        story.fires(TimerKey.Kind.CLAIM_RETRY);
        story.report(new ClaimOutcome.Joined(FIRST, SESSION_MILLIS));
        assertThat(story.mayKeep()).isTrue();
    }

    @Test
    void lock_thatTheNextLeaderSeesAnew_mayBeAnotherOne_andCostsMembersWhatTheyHave() {
        // Given
        story.join(true);
        story.report(new ClaimOutcome.Locked());
        story.members("a");

        // When
        story.newLeader();
        story.report(new ClaimOutcome.Locked());
        story.report(new ClaimOutcome.Joined(FIRST, SESSION_MILLIS, false));

        // Then
        assertThat(story.openedUp()).isTrue();
    }

    @Test
    void memberOfOurs_thatAnUnansweredJoinMayHaveBroughtIn_doesNotTellThatNobodyElseWasThere() {
        // Given
        story.join(true);
        story.report(new ClaimOutcome.Locked());
        story.members("a");
        story.newLeader();
        story.report(new ClaimOutcome.Unavailable("no answer"));

        // When
        story.fires(TimerKey.Kind.CLAIM_RETRY);
        story.report(new ClaimOutcome.Joined(FIRST, SESSION_MILLIS, true));

        // Then
        assertThat(story.openedUp()).isTrue();
    }

    @Test
    void memberOfOurs_inAGroupOfALaterGeneration_doesNotTellThatNobodyElseWasThere() {
        // Given
        story.join(true);
        story.report(new ClaimOutcome.Locked());
        story.members("a");

        // When a join of the earlier leadership came late, after others had come and gone
        story.newLeader();
        story.report(new ClaimOutcome.Joined(new ClaimIdentity("late", 4), SESSION_MILLIS, true));

        // Then
        assertThat(story.openedUp()).isTrue();
    }

    @Test
    void newLeader_ofAGroupWhoseClaimWasLost_takesItAgain() {
        // Given
        story.heldAs(FIRST, "a");
        story.fires(TimerKey.Kind.CLAIM_HEARTBEAT);
        story.report(new ClaimOutcome.Lost("unknown member", true));

        // When
        story.newLeader();

        // Then
        assertThat(story.asked()).containsExactly(new ClaimOperation.Join(SESSION_MILLIS));
    }

    @Test
    void fence_thatFindsNoMemberOfOurs_leavesNobodyWhatTheyHave() {
        // Given
        story.heldAs(FIRST, "a", "b");
        story.newLeader();

        // When
        story.report(new ClaimOutcome.Fenced(SECOND, false));

        // Then
        assertThat(story.openedUp()).isTrue();
        assertThat(story.claim()).isEqualTo(new Claim.Held(SECOND, SESSION_MILLIS));
    }

    @Test
    void claimThatIsGone_leavesNobodyWhatTheyHave_whenItIsHeldAgain() {
        // Given
        story.heldAs(FIRST, "a", "b");
        story.fires(TimerKey.Kind.CLAIM_HEARTBEAT);

        // When
        story.report(new ClaimOutcome.Lost("no member of ours", true));

        // Then
        assertThat(story.mayKeep()).isFalse();
        assertThat(story.openedUp()).isFalse();
        story.newLeader();
        story.report(new ClaimOutcome.Joined(SECOND, SESSION_MILLIS, true));
        assertThat(story.openedUp()).isTrue();
    }

    @Test
    void identityThatIsAnOldOneOfOurs_isFenced_andCostsNobodyAnything() {
        // Given
        story.heldAs(FIRST, "a", "b");
        story.fires(TimerKey.Kind.CLAIM_HEARTBEAT);

        // When
        story.report(new ClaimOutcome.Lost("fenced"));

        // Then
        assertThat(story.mayKeep()).isTrue();
        assertThat(story.memory().claim().operation()).contains(new ClaimOperation.Fence(FIRST, SESSION_MILLIS));
        story.report(new ClaimOutcome.Fenced(SECOND));
        assertThat(story.openedUp()).isFalse();
    }

    @Test
    void memberOfOurs_thatALateFenceBroughtIntoAGroupThatOthersHad_isToldByItsGeneration() {
        // Given
        story.heldAs(FIRST, "a", "b");
        story.newLeader();

        // When
        story.report(new ClaimOutcome.Fenced(new ClaimIdentity("second", FIRST.generation() + 4), true));

        // Then
        assertThat(story.openedUp()).isTrue();
    }

    @Test
    void groupThatOthersHad_leavesNobodyWhatTheyHave() {
        // Given
        story.heldAs(FIRST, "a", "b");
        story.fires(TimerKey.Kind.CLAIM_HEARTBEAT);
        story.report(new ClaimOutcome.Lost("fenced"));

        // When (the fence's answer)
        story.report(new ClaimOutcome.OwnedElsewhere(ClaimOutcome.Occupants.CONSUMERS, "a classic group lives there"));

        // Then
        assertThat(story.mayKeep()).isFalse();
        story.fires(TimerKey.Kind.CLAIM_RETRY);
        story.report(new ClaimOutcome.Joined(SECOND, SESSION_MILLIS));
        assertThat(story.openedUp()).isTrue();
    }
}
