package io.muster.core.claim;

import static io.muster.core.claim.ClaimStory.P0;
import static io.muster.core.claim.ClaimStory.SESSION_MILLIS;
import static io.muster.core.claim.ClaimStory.commit;
import static io.muster.core.claim.ClaimStory.commitElsewhere;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Claim;
import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.CommitCommand;
import io.muster.core.Decision;
import io.muster.core.Effect;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.core.TimerChange;
import io.muster.core.TimerKey;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClaimLogicTest {
    private static final ClaimIdentity FIRST = new ClaimIdentity("first", 1);
    private static final ClaimIdentity SECOND = new ClaimIdentity("second", 1);

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
    void commit_byAnotherConnection_waitsForTheFirstToBeSettled() {
        // Given
        story.heldAs(FIRST, "a");
        story.accept(commit("c1", "a", P0));

        // When
        Decision waits = story.accept(commitElsewhere("c2", "a", P0));
        story.accept(new CommitCommand.Settled("g", "c1", false));
        Decision admitted = story.accept(commitElsewhere("c2", "a", P0));

        // Then
        assertThat(waits.waiting()).containsExactly(0);
        assertThat(waits.effects()).isEmpty();
        assertThat(waits.timers())
                .containsExactly(new TimerChange.Arm(new TimerKey(TimerKey.Kind.CLAIM_HASTEN, ""), 499, 0));
        assertThat(admitted.replies().get(0).response()).isEqualTo(new Response.CommitAdmitted(FIRST));
    }

    @Test
    void commit_byAnotherConnection_fencesTheFirst_ofWhichNothingIsHeard() {
        // Given
        story.heldAs(FIRST, "a");
        story.accept(commit("c1", "a", P0));
        story.accept(commitElsewhere("c2", "a", P0));

        // When
        story.pass(500);
        Decision fences = story.accept(commitElsewhere("c2", "a", P0));
        story.report(new ClaimOutcome.Fenced(SECOND));

        // Then
        assertThat(fences.waiting()).containsExactly(0);
        assertThat(fences.effects())
                .containsExactly(new Effect.ClaimUpstream("g", new ClaimOperation.Fence(FIRST, SESSION_MILLIS)));
        assertThat(story.accept(commitElsewhere("c2", "a", P0)).replies().get(0).response())
                .isEqualTo(new Response.CommitAdmitted(SECOND));
    }

    @Test
    void commit_byAnotherConnection_ofOtherPartitions_isAdmitted() {
        // Given
        story.heldAs(FIRST, "a");
        story.accept(commit("c1", "a", P0));

        // Then
        assertThat(story.accept(commitElsewhere("c2", "a", new CommitCommand.TopicPartition("t", 1)))
                        .replies()
                        .get(0)
                        .response())
                .isEqualTo(new Response.CommitAdmitted(FIRST));
    }

    @Test
    void commit_byAConnectionOlderThanTheMembersNewest_isRefusedForGood() {
        // Given
        story.heldAs(FIRST, "a");
        story.pass(60_000);
        story.accept(commitBy("new", 1_000, "c1"));
        story.accept(new CommitCommand.Settled("g", "c1", false));

        // When
        Decision late = story.accept(commitBy("old", 30_000, "c2"));

        // Then
        assertThat(late.replies().get(0).response())
                .isEqualTo(new Response.CommitRefused(GroupError.CONNECTION_SUPERSEDED, true));
        story.pass(10_000);
        assertThat(story.accept(commitBy("newer", 500, "c3")).replies().get(0).response())
                .isEqualTo(new Response.CommitAdmitted(FIRST));
        story.accept(new CommitCommand.Settled("g", "c3", false));
        assertThat(story.accept(commitBy("new", 11_100, "c4")).replies().get(0).response())
                .isEqualTo(new Response.CommitRefused(GroupError.CONNECTION_SUPERSEDED, true));
    }

    private static CommitCommand.Admit commitBy(String connectionId, long ageMillis, String admissionId) {
        return new CommitCommand.Admit(
                "g", admissionId, connectionId, ageMillis, "a", "", 1, CommitCommand.Kind.PLAIN, 9, Set.of(P0));
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
        assertThat(after.records()).isEmpty();
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

    private GroupError refusal() {
        return ((Response.Refused) story.last().replies().get(0).response()).error();
    }
}
