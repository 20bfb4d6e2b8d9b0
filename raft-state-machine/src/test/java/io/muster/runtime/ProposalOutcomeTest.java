package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupCommand;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.core.Response.ConsumerHeartbeatAnswer;
import io.muster.core.Response.Refused;
import io.muster.runtime.ProposalOutcome.Unknown;
import io.muster.runtime.ProposalOutcome.Verdict;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of commands when the outcome of their proposal is unknown, or the guard refuses it. */
final class ProposalOutcomeTest {
    private final ShardFixture bench = new ShardFixture();

    @Test
    void unknownOutcome_isAnsweredNotCoordinator_andTheGroupIsLoadedAgain() {
        bench.lead();
        bench.joined("g", "m");

        bench.nextOutcome(new Unknown("timeout"));
        Response answer = bench.ask(bench.join("g", "n"));

        assertThat(answer).matches(ProposalOutcomeTest::isNotCoordinator);
        assertThat(bench.members("g")).containsExactly("m", "n");
        assertThat(bench.joined("g", "n").memberEpoch()).isPositive();
        assertThat(bench.leader().counters().counts().unknownOutcomes()).isEqualTo(1);
    }

    @Test
    void lateEntry_thatIsAppliedAfterAll_isPartOfWhatIsDecidedOnNext() {
        bench.lead();
        bench.joined("g", "m");
        bench.nextIsLate();
        CompletableFuture<Response> lost = bench.leader().submit(bench.join("g", "n"));
        bench.holdOutcomes();
        bench.run(5);
        assertThat(lost).isCompletedWithValueMatching(ProposalOutcomeTest::isNotCoordinator);

        CompletableFuture<Response> next = bench.leader().submit(bench.join("g", "o"));
        bench.run(100);
        assertThat(next).as("nothing is decided on a state that may change yet").isNotDone();
        assertThat(bench.appendLate()).containsExactly(Verdict.APPLIED);
        bench.letOutcomesGo();
        bench.run(100);

        assertThat(next).isCompletedWithValueMatching(answer -> answer instanceof ConsumerHeartbeatAnswer);
        assertThat(bench.members("g")).containsExactly("m", "n", "o");
        assertThat(bench.leader().counters().counts().conflicts()).isZero();
    }

    @Test
    void lateEntry_thatComesAfterTheGroupWasLoadedAgain_changesNothing() {
        bench.lead();
        bench.joined("g", "m");
        bench.nextIsLate();
        CompletableFuture<Response> lost = bench.leader().submit(bench.join("g", "n"));
        bench.run(100);
        assertThat(lost).isDone();

        bench.ask(bench.beat("g", "m", ConsumerHeartbeat.LEAVE_EPOCH));
        bench.ask(new GroupCommand.Delete("g"));

        assertThat(bench.appendLate()).containsExactly(Verdict.CONFLICT);
        assertThat(bench.members("g")).isEmpty();
        assertThat(bench.joined("g", "o").memberEpoch()).isPositive();
        assertThat(bench.members("g")).containsExactly("o");
    }

    @Test
    void groupOfUnknownOutcome_isSettledAgainAndAgain_untilALaterEntryIsApplied() {
        bench.lead();
        bench.joined("g", "m");
        bench.nextIsLate();
        bench.nextOutcome(new Unknown("the settling entry's, too"));
        bench.ask(bench.join("g", "n"));

        CompletableFuture<Response> next = bench.leader().submit(bench.join("g", "o"));
        bench.run(500);
        assertThat(next).isNotDone();
        bench.run(1_500);

        assertThat(next).isCompletedWithValueMatching(answer -> answer instanceof ConsumerHeartbeatAnswer);
    }

    @Test
    void conflict_isDecidedAgainOnFreshState() {
        bench.lead();
        bench.joined("g", "m");

        bench.changeBehindItsBack("g");
        Response answer = bench.ask(bench.join("g", "n"));

        assertThat(answer).isInstanceOf(ConsumerHeartbeatAnswer.class);
        assertThat(bench.leader().counters().counts().conflicts()).isPositive();
    }

    private static boolean isNotCoordinator(Response response) {
        return response instanceof Refused refused && refused.error() == GroupError.NOT_COORDINATOR;
    }
}
