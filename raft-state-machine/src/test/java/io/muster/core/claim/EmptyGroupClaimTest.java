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
import io.muster.core.GroupCommand;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.core.TimerChange;
import io.muster.core.TimerKey;
import org.junit.jupiter.api.Test;

/** What becomes of the claim and the group when the members are gone. */
class EmptyGroupClaimTest {
    private static final ClaimIdentity FIRST = new ClaimIdentity("first", 1);
    private static final ClaimIdentity SECOND = new ClaimIdentity("second", 1);

    private final ClaimStory story = new ClaimStory();

    @Test
    void delete_ofAGroupWithMembers_isRefused() {
        // Given
        story.heldAs(FIRST, "a");

        // When
        story.accept(new GroupCommand.Delete("g"));

        // Then
        assertThat(refusal()).isEqualTo(GroupError.NON_EMPTY_GROUP);
    }

    @Test
    void delete_drainsThenLeavesThenForgetsTheGroup() {
        // Given
        story.heldAs(FIRST);
        story.accept(commit("c1", "", P0));

        // When
        Decision waiting = story.accept(new GroupCommand.Delete("g"));
        Decision late = story.accept(commit("c2", "", P0));
        story.accept(new CommitCommand.Settled("g", "c1", false));

        // Then
        assertThat(waiting.waiting()).containsExactly(0);
        assertThat(waiting.effects()).isEmpty();
        assertThat(late.waiting()).containsExactly(0);
        assertThat(story.asked()).containsExactly(new ClaimOperation.Leave(FIRST));
        story.report(new ClaimOutcome.Left());
        assertThat(story.accept(new GroupCommand.Delete("g")).replies().get(0).response())
                .isEqualTo(new Response.Done());
        assertThat(story.group().exists()).isFalse();
        assertThat(story.claim()).isEqualTo(new Claim.None());
    }

    @Test
    void delete_withACommitThatNobodySettles_fencesItWhenPatienceEnds() {
        // Given
        story.heldAs(FIRST);
        story.accept(commit("c1", "", P0));
        story.accept(new GroupCommand.Delete("g"));

        // When
        story.acceptImpatiently(new GroupCommand.Delete("g"));

        // Then
        assertThat(refusal()).isEqualTo(GroupError.COORDINATOR_NOT_AVAILABLE);
        assertThat(story.asked()).containsExactly(new ClaimOperation.Fence(FIRST, SESSION_MILLIS));
        story.report(new ClaimOutcome.Fenced(SECOND));
        story.accept(new GroupCommand.Delete("g"));
        assertThat(story.asked()).containsExactly(new ClaimOperation.Leave(SECOND));
    }

    @Test
    void delete_withACommitThatNobodySettles_fencesLeavesAndDeletes_withinItsPatience() {
        // Given
        story.heldAs(FIRST);
        story.accept(commit("c1", "", P0));
        Decision waits = story.accept(new GroupCommand.Delete("g"));
        assertThat(waits.timers()).contains(new TimerChange.Arm(new TimerKey(TimerKey.Kind.CLAIM_HASTEN, ""), 499, 0));

        // When
        story.pass(500);
        story.fires(TimerKey.Kind.CLAIM_HASTEN);

        // Then
        assertThat(story.asked()).containsExactly(new ClaimOperation.Fence(FIRST, SESSION_MILLIS));
        story.report(new ClaimOutcome.Fenced(SECOND));
        story.accept(new GroupCommand.Delete("g"));
        assertThat(story.asked()).containsExactly(new ClaimOperation.Leave(SECOND));
        story.report(new ClaimOutcome.Left());
        assertThat(story.accept(new GroupCommand.Delete("g")).replies().get(0).response())
                .isEqualTo(new Response.Done());
    }

    @Test
    void emptyGroup_withACommitThatNobodySettles_isGivenUp() {
        // Given
        story.heldAs(FIRST);
        story.accept(commit("c1", "", P0));
        story.pass(30_000);
        story.fires(TimerKey.Kind.CLAIM_SETTLE);
        assertThat(story.asked()).containsExactly(new ClaimOperation.Fence(FIRST, SESSION_MILLIS));
        story.report(new ClaimOutcome.Fenced(SECOND));

        // When
        story.fires(TimerKey.Kind.CLAIM_RELEASE);

        // Then
        assertThat(story.asked()).containsExactly(new ClaimOperation.Leave(SECOND));
    }

    @Test
    void emptyGroup_thatIsGivenUpWhenAHeartbeatIsDue_isGivenUp() {
        // Given
        story.heldAs(FIRST);

        // When
        story.firesTogether(TimerKey.Kind.CLAIM_RELEASE, TimerKey.Kind.CLAIM_HEARTBEAT);

        // Then
        assertThat(story.asked()).containsExactly(new ClaimOperation.Leave(FIRST));
    }

    @Test
    void emptyGroup_leftAlone_isGivenUp() {
        // Given
        story.join(true);
        story.report(new ClaimOutcome.Joined(FIRST, SESSION_MILLIS));
        assertThat(story.last().timers())
                .contains(new TimerChange.Arm(new TimerKey(TimerKey.Kind.CLAIM_RELEASE, ""), 600_000, 0));
        story.members();

        // When
        story.fires(TimerKey.Kind.CLAIM_RELEASE);
        assertThat(story.asked()).containsExactly(new ClaimOperation.Leave(FIRST));
        story.report(new ClaimOutcome.Left());

        // Then
        assertThat(story.claim()).isEqualTo(new Claim.None());
        assertThat(story.group().exists()).isTrue();
        assertThat(story.accept(commit("c1", "", P0)).replies().get(0).response())
                .isEqualTo(new Response.CommitRefused(GroupError.GROUP_ID_NOT_FOUND, false));
    }

    @Test
    void emptyGroup_ofWhichUpstreamHasNothingLeft_isDeleted() {
        // Given
        leftAlone();

        // When
        story.fires(TimerKey.Kind.CLAIM_RELEASE);
        assertThat(story.asked()).hasSize(1).first().isInstanceOf(ClaimOperation.Look.class);
        Decision decision = story.report(new ClaimOutcome.Absent());

        // Then
        assertThat(story.group().exists()).isFalse();
        assertThat(decision.timers()).isEmpty();
    }

    @Test
    void emptyGroup_ofWhichUpstreamHasOffsets_staysAndIsLookedAtAgain() {
        // Given
        leftAlone();
        story.fires(TimerKey.Kind.CLAIM_RELEASE);

        // When
        Decision present = story.report(new ClaimOutcome.Present());
        story.fires(TimerKey.Kind.CLAIM_RELEASE);
        Decision unavailable = story.report(new ClaimOutcome.Unavailable("away"));

        // Then
        TimerChange again = new TimerChange.Arm(new TimerKey(TimerKey.Kind.CLAIM_RELEASE, ""), 600_000, 0);
        assertThat(present.timers()).containsExactly(again);
        assertThat(unavailable.timers()).containsExactly(again);
        assertThat(story.group().exists()).isTrue();
    }

    @Test
    void emptyGroup_thatIsJoinedDuringTheLook_isClaimedInstead() {
        // Given
        leftAlone();
        story.fires(TimerKey.Kind.CLAIM_RELEASE);

        // When
        assertThat(story.join(true)).isFalse();
        story.report(new ClaimOutcome.Absent());

        // Then
        assertThat(story.group().exists()).isTrue();
        assertThat(story.asked()).containsExactly(new ClaimOperation.Join(SESSION_MILLIS));
    }

    @Test
    void emptyGroup_thatIsLookedAt_leavesCommitsToUpstream() {
        // Given
        leftAlone();
        story.fires(TimerKey.Kind.CLAIM_RELEASE);

        // When
        Decision decision = story.accept(commit("c1", "", P0));

        // Then
        assertThat(decision.replies().get(0).response())
                .isEqualTo(new Response.CommitRefused(GroupError.GROUP_ID_NOT_FOUND, false));
    }

    @Test
    void emptyGroup_ofANewLeader_isLookedAt() {
        // Given
        leftAlone();

        // When
        story.newLeader();

        // Then
        assertThat(story.last().timers())
                .containsExactly(new TimerChange.Arm(new TimerKey(TimerKey.Kind.CLAIM_RELEASE, ""), 600_000, 0));
    }

    @Test
    void emptyGroup_thatIsJoinedAgain_staysClaimed() {
        // Given
        story.heldAs(FIRST);

        // When
        story.members("a");
        story.step(draft -> {});

        // Then
        assertThat(story.last().timers())
                .containsExactly(new TimerChange.Cancel(new TimerKey(TimerKey.Kind.CLAIM_RELEASE, "")));
        story.fires(TimerKey.Kind.CLAIM_RELEASE);
        assertThat(story.asked()).isEmpty();
    }

    /** An empty group whose claim has left. */
    private void leftAlone() {
        story.heldAs(FIRST);
        story.fires(TimerKey.Kind.CLAIM_RELEASE);
        story.report(new ClaimOutcome.Left());
    }

    private GroupError refusal() {
        return ((Response.Refused) story.last().replies().get(0).response()).error();
    }
}
