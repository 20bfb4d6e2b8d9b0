package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.CoordinatorConfig;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.core.Response.ConsumerHeartbeatAnswer;
import io.muster.core.Response.Refused;
import io.muster.runtime.ProposalOutcome.Unknown;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What fails on the leader's thread harms neither the other groups nor the leadership. */
final class LeaderFaultsTest {
    private static final long SESSION_MILLIS =
            CoordinatorConfig.defaults("test").consumer().sessionTimeoutMillis();

    private final ShardFixture bench = new ShardFixture();

    @Test
    void groupThatFails_onceItsChangeIsApplied_leavesTheOthersOfTheEntryAlone() {
        // Given
        bench.lead();

        // When
        CompletableFuture<Response> failing = bench.leader().submit(bench.join(ShardFixture.UNANNOUNCED, "m"));
        CompletableFuture<Response> other = bench.leader().submit(bench.join("z", "m"));
        bench.run(100);

        // Then
        assertThat(failing)
                .isCompletedWithValueMatching(answer ->
                        answer instanceof Refused refused && refused.error() == GroupError.COORDINATOR_NOT_AVAILABLE);
        assertThat(other).isCompletedWithValueMatching(answer -> answer instanceof ConsumerHeartbeatAnswer);
        assertThat(bench.joined(ShardFixture.UNANNOUNCED, "m").memberEpoch()).isPositive();
    }

    @Test
    void storeThatFails_whenALeadershipBegins_doesNotEndTheRounds() {
        // Given
        bench.lead();
        bench.joined("g", "m");
        bench.leader().leaderLost();

        // When
        bench.failStoreOnce();
        bench.lead();
        bench.run(2 * SESSION_MILLIS);

        // Then
        assertThat(bench.members("g")).isEmpty();
        assertThat(bench.claimMarks()).hasSize(2);
    }

    @Test
    void firstEntry_ofUnknownOutcome_isProposedAgain_andNothingIsDecidedBefore() {
        // Given
        bench.nextIsLate();
        bench.lead();

        // When
        CompletableFuture<Response> join = bench.leader().submit(bench.join("g", "m"));
        bench.run(500);

        // Then
        assertThat(join).isNotDone();
        assertThat(bench.records("g")).isEmpty();
        bench.run(2_000);
        assertThat(bench.identity()).isPresent();
        assertThat(bench.claimMarks()).hasSize(1);
        assertThat(join).isCompletedWithValueMatching(answer -> answer instanceof ConsumerHeartbeatAnswer);
    }

    @Test
    void commandsThatArrive_whileTheFirstEntryIsUnderWay_areRefusedWithIt() {
        // Given
        bench.holdOutcomes();
        bench.nextOutcome(new Unknown("no answer"));
        bench.lead();
        CompletableFuture<Response> join = bench.leader().submit(bench.join("g", "m"));
        bench.run(100);
        assertThat(join).isNotDone();

        // When
        bench.letOutcomesGo();
        bench.run(10);

        // Then
        assertThat(join)
                .isCompletedWithValueMatching(answer ->
                        answer instanceof Refused refused && refused.error() == GroupError.COORDINATOR_NOT_AVAILABLE);
    }

    @Test
    void groupOnWhichNoDecisionCouldBeMade_isVisitedAgain_andItsMembersExpire() {
        bench.lead();
        bench.joined("g", "m");
        bench.changeBehindItsBack("g");
        bench.breakStoreFor("g");
        assertThat(bench.ask(bench.join("g", "n"))).isInstanceOf(Refused.class);
        bench.run(10_000);
        long failures = bench.leader().counters().counts().failures();
        assertThat(failures).isBetween(3L, 6L);

        bench.repairStore();
        bench.run(8_000 + SESSION_MILLIS);

        assertThat(bench.leader().counters().counts().failures()).isEqualTo(failures);
        assertThat(bench.members("g")).isEmpty();
    }

    @Test
    void defect_isAnswered_andHarmsNobodyElse() {
        bench.lead();
        bench.breakStoreFor("broken");

        Response answer = bench.ask(bench.join("broken", "m"));

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.error()).isEqualTo(GroupError.COORDINATOR_NOT_AVAILABLE));
        assertThat(bench.joined("g", "m").memberEpoch()).isPositive();
    }
}
