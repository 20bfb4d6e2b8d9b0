package io.muster.core.claim;

import static io.muster.core.claim.ClaimStory.P0;
import static io.muster.core.claim.ClaimStory.SESSION_MILLIS;
import static io.muster.core.claim.ClaimStory.commit;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Claim;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.Decision;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.core.TimerChange;
import io.muster.core.TimerKey;
import org.junit.jupiter.api.Test;

/** How a group that is not claimed comes to be. */
class ClaimTakingTest {
    private static final ClaimIdentity FIRST = new ClaimIdentity("first", 1);

    private final ClaimStory story = new ClaimStory();

    @Test
    void join_ofUnclaimedGroup_asksForTheClaimAndWaits() {
        // When
        boolean admitted = story.join(true);

        // Then
        assertThat(admitted).isFalse();
        assertThat(story.last().waiting()).containsExactly(0);
        assertThat(story.asked()).containsExactly(new ClaimOperation.Join(SESSION_MILLIS));
        assertThat(story.last().records()).isEmpty();
    }

    @Test
    void join_whileTheClaimIsBeingTaken_asksOnlyOnce() {
        // Given
        story.join(true);

        // When
        story.join(true);

        // Then
        assertThat(story.asked()).isEmpty();
    }

    @Test
    void join_onceLocked_isAdmittedWhileCommitsWait() {
        // Given
        story.join(true);
        story.report(new ClaimOutcome.Locked());

        // When
        boolean admitted = story.join(true);
        story.members("a");

        // Then
        assertThat(admitted).isTrue();
        assertThat(story.mayHandOver(P0, "a")).isTrue();
        assertThat(story.accept(commit("c1", "a", P0)).waiting()).containsExactly(0);
    }

    @Test
    void joined_isLoggedAndKeptAlive() {
        // Given
        story.join(true);

        // When
        Decision decision = story.report(new ClaimOutcome.Joined(FIRST, 300_000));

        // Then
        assertThat(story.claim()).isEqualTo(new Claim.Held(FIRST, 300_000));
        assertThat(decision.timers())
                .contains(new TimerChange.Arm(new TimerKey(TimerKey.Kind.CLAIM_HEARTBEAT, ""), 100_000, 0));
        assertThat(story.join(true)).isTrue();
    }

    @Test
    void join_withoutPatience_isToldToTryAgain() {
        // When
        story.join(false);

        // Then
        assertThat(refusal()).isEqualTo(GroupError.COORDINATOR_NOT_AVAILABLE);
    }

    @Test
    void join_ofGroupOwnedElsewhere_isRefusedAndALaterOneAsksAgain() {
        // Given
        story.join(true);
        story.report(new ClaimOutcome.OwnedElsewhere(ClaimOutcome.Occupants.CONSUMERS, "a classic group lives there"));

        // When
        boolean waiting = story.joinFrom(5);

        // Then
        assertThat(waiting).isFalse();
        assertThat(refusal()).isEqualTo(GroupError.GROUP_ID_NOT_FOUND);
        assertThat(((Response.Refused) story.last().replies().get(0).response()).message())
                .contains("a classic group lives there");
        assertThat(story.join(true)).isFalse();
        assertThat(story.asked()).hasSize(1);
    }

    @Test
    void join_afterUpstreamWasUnavailable_waitsForTheRetry() {
        // Given
        story.join(true);
        story.report(new ClaimOutcome.Unavailable("no coordinator"));

        // When
        story.join(true);

        // Then
        assertThat(story.asked()).isEmpty();
        story.fires(TimerKey.Kind.CLAIM_RETRY);
        assertThat(story.asked()).containsExactly(new ClaimOperation.Join(SESSION_MILLIS));
    }

    private GroupError refusal() {
        return ((Response.Refused) story.last().replies().get(0).response()).error();
    }
}
