package io.muster.core.claim;

import static io.muster.core.claim.ClaimStory.P0;
import static io.muster.core.claim.ClaimStory.SESSION_MILLIS;
import static io.muster.core.claim.ClaimStory.commit;
import static io.muster.core.claim.ClaimStory.commitElsewhere;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimIdentity;
import io.muster.core.ClaimOperation;
import io.muster.core.ClaimOutcome;
import io.muster.core.CommitCommand;
import io.muster.core.CommitConnection;
import io.muster.core.CommonRecord;
import io.muster.core.Decision;
import io.muster.core.Effect;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.core.ShardTime;
import io.muster.core.TimerChange;
import io.muster.core.TimerKey;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One member that commits by several connections. */
class MemberConnectionsTest {
    private static final ClaimIdentity FIRST = new ClaimIdentity("first", 1);
    private static final ClaimIdentity SECOND = new ClaimIdentity("second", 1);

    private static final Response SUPERSEDED = new Response.CommitRefused(GroupError.CONNECTION_SUPERSEDED, true);

    private final ClaimStory story = new ClaimStory();

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

    @Test
    void firstCommit_byAConnection_isRecorded_laterOnesAreNot() {
        // Given
        story.heldAs(FIRST, "a");

        // When
        Decision first = story.accept(commitBy("one", 10, "c1"));
        Decision second = story.accept(commitBy("one", 20, "c2"));
        story.accept(new CommitCommand.Settled("g", "c1", false));
        story.accept(new CommitCommand.Settled("g", "c2", false));
        Decision other = story.accept(commitBy("two", 5, "c3"));

        // Then
        assertThat(first.records())
                .containsExactly(
                        new CommonRecord.CommitConnectionSet("a", new CommitConnection("one", ShardTime.NONE)));
        assertThat(second.records()).isEmpty();
        assertThat(other.records())
                .containsExactly(
                        new CommonRecord.CommitConnectionSet("a", new CommitConnection("two", ShardTime.NONE)));
    }

    @Test
    void newLeader_knowsTheConnectionThatTheMemberCommittedByLast() {
        // Given
        story.heldAs(FIRST, "a");
        story.accept(commitBy("one", 10, "c1"));

        // When
        fenceOfNewLeader();

        // Then
        assertThat(answer(commitBy("one", 60_000, "c2"))).isEqualTo(new Response.CommitAdmitted(SECOND));
    }

    @Test
    void newLeader_refusesAConnectionThatMayHaveBeenLeft_andTakesOneThatWasOpenedSince() {
        // Given
        story.heldAs(FIRST, "a");
        story.accept(commitBy("old", 60_000, "c1"));
        story.accept(new CommitCommand.Settled("g", "c1", false));
        story.accept(commitBy("new", 10, "c2"));

        // When
        fenceOfNewLeader();
        story.pass(1_000);

        // Then
        assertThat(answer(commitBy("old", 62_000, "c3"))).isEqualTo(SUPERSEDED);
        assertThat(answer(commitBy("between", 2_000, "c4"))).isEqualTo(SUPERSEDED);
        assertThat(answer(commitBy("since", 500, "c5"))).isEqualTo(new Response.CommitAdmitted(SECOND));
        assertThat(answer(commitBy("new", 2_500, "c6"))).isEqualTo(SUPERSEDED);
    }

    @Test
    void newLeader_takesAConnectionOfAGatewayThatHadHeardOfTheRecordedOne_thoughItWasOpenedBeforeItBegan() {
        // Given
        story.heldAs(FIRST, "a");
        story.time(new ShardTime(0, 1, 7));
        story.accept(commitBy("one", 60_000, "c1"));

        // When
        fenceOfNewLeader();

        // Then
        assertThat(answer(commitBy(heardOf("before", new ShardTime(0, 1, 6)), "c2")))
                .isEqualTo(SUPERSEDED);
        assertThat(answer(commitBy(heardOf("of another shard", new ShardTime(1, 1, 7)), "c3")))
                .isEqualTo(SUPERSEDED);
        assertThat(answer(commitBy(heardOf("after", new ShardTime(0, 1, 7)), "c4")))
                .isInstanceOf(Response.CommitAdmitted.class);
        assertThat(answer(commitBy("one", 60_000, "c5"))).isEqualTo(SUPERSEDED);
    }

    /** A connection that is older than the new leadership. */
    private static CommitCommand.Connection heardOf(String connectionId, ShardTime time) {
        return new CommitCommand.Connection(connectionId, 1_000, List.of(time));
    }

    @Test
    void newLeader_takesTheFirstConnectionOfAMember_howeverOld() {
        // Given
        story.heldAs(FIRST, "a");

        // When
        fenceOfNewLeader();

        // Then
        assertThat(answer(commitBy("one", 60_000, "c1"))).isEqualTo(new Response.CommitAdmitted(SECOND));
    }

    @Test
    void leaderThatLostItsMemory_takesOnlyConnectionsThatWereOpenedSince() {
        // Given
        story.heldAs(FIRST, "a");
        story.pass(60_000);
        story.accept(commitBy("one", 10_000, "c1"));

        // When
        fenceOfNewLeader();

        // Then
        assertThat(answer(commitBy("two", 20_000, "c2"))).isEqualTo(SUPERSEDED);
        assertThat(answer(commitBy("one", 10_000, "c3"))).isEqualTo(new Response.CommitAdmitted(SECOND));
    }

    /** What waits in a group that has to be loaded again is decided on before the group is seen to. */
    @Test
    void commit_ofAGroupWhoseCommitsInFlightWereForgotten_waitsForTheFence() {
        // Given
        story.heldAs(FIRST, "a");
        story.accept(commitBy("old", 60_000, "c1"));

        // When
        story.forget();
        story.pass(1_000);
        Decision waits = story.accept(commitBy("since", 500, "c2"));
        story.report(new ClaimOutcome.Fenced(SECOND));

        // Then
        assertThat(waits.waiting()).containsExactly(0);
        assertThat(waits.effects())
                .containsExactly(new Effect.ClaimUpstream("g", new ClaimOperation.Fence(FIRST, SESSION_MILLIS)));
        assertThat(answer(commitBy("since", 600, "c2"))).isEqualTo(new Response.CommitAdmitted(SECOND));
    }

    private void fenceOfNewLeader() {
        story.newLeader();
        story.report(new ClaimOutcome.Fenced(SECOND));
    }

    private Response answer(CommitCommand.Admit commit) {
        Response answer = story.accept(commit).replies().get(0).response();
        story.accept(new CommitCommand.Settled("g", commit.admissionId(), false));
        return answer;
    }

    private static CommitCommand.Admit commitBy(String connectionId, long ageMillis, String admissionId) {
        return commitBy(new CommitCommand.Connection(connectionId, ageMillis, List.of()), admissionId);
    }

    private static CommitCommand.Admit commitBy(CommitCommand.Connection connection, String admissionId) {
        return new CommitCommand.Admit(
                "g",
                admissionId,
                connection,
                new CommitCommand.Committer("a", "", 1),
                CommitCommand.Kind.PLAIN,
                9,
                Set.of(P0));
    }
}
