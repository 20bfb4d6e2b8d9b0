package io.muster.gateway.kafka.order;

import static io.muster.gateway.kafka.order.ScriptedRequests.alive;
import static io.muster.gateway.kafka.order.ScriptedRequests.commit;
import static io.muster.gateway.kafka.order.ScriptedRequests.join;
import static io.muster.gateway.kafka.order.ScriptedRequests.leave;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.kafka.order.Concern.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which requests wait for which, as long as all get their turn in time. */
class RequestOrderTest {
    private final ScriptedRequests requests = new ScriptedRequests();

    @Test
    void leave_waitsForTheJoinOfItsMember() {
        // Given
        requests.enter("join", join("g", "a"));

        // When
        requests.enter("leave", leave("g", "a"));

        // Then
        assertThat(requests.begun()).containsExactly("join");
        requests.done("join");
        assertThat(requests.begun()).containsExactly("join", "leave");
    }

    @Test
    void leave_waitsForAllCommitsOfItsGroup() {
        // Given
        requests.enter("commit1", commit("g"));
        requests.enter("commit2", commit("g"));

        // When
        requests.enter("leave", leave("g", "a"));

        // Then
        assertThat(requests.begun()).containsExactly("commit1", "commit2");
        requests.done("commit2");
        assertThat(requests.begun()).containsExactly("commit1", "commit2");
        requests.done("commit1");
        assertThat(requests.begun()).containsExactly("commit1", "commit2", "leave");
    }

    @Test
    void keepAlive_waitsForNoCommit() {
        // Given
        requests.enter("commit", commit("g"));
        requests.enter("leave", leave("g", "a"));

        // When
        requests.enter("alive", alive("g", "b"));

        // Then
        assertThat(requests.begun()).containsExactly("commit", "alive");
    }

    @Test
    void keepAlive_waitsForTheJoinOfItsMemberOnly() {
        // Given
        requests.enter("join", join("g", "a"));

        // When
        requests.enter("other", alive("g", "b"));
        requests.enter("own", alive("g", "a"));

        // Then
        assertThat(requests.begun()).containsExactly("join", "other");
        requests.done("join");
        assertThat(requests.begun()).containsExactly("join", "other", "own");
    }

    @Test
    void heartbeat_waitsForOneUnderTheSameInstanceId() {
        // Given
        requests.enter("leave", Concern.heartbeat("g", "old", "i1", -2, false));

        // When
        requests.enter("join", Concern.heartbeat("g", "new", "i1", 0, true));

        // Then
        assertThat(requests.begun()).containsExactly("leave");
    }

    @Test
    void groups_doNotWaitForEachOther() {
        // When
        requests.enter("join g", join("g", "a"));
        requests.enter("join h", join("h", "a"));
        requests.enter("commit h", commit("h"));
        requests.enter("delete i", Concern.of(Kind.WRITE, "i", false));

        // Then
        assertThat(requests.begun()).containsExactly("join g", "join h", "delete i");
    }

    @Test
    void requestAboutManyGroups_waitsInEach() {
        // Given
        requests.enter("commit g", commit("g"));
        requests.enter("commit h", commit("h"));

        // When
        requests.enter("delete", Concern.of(Kind.WRITE, List.of("g", "h"), false));
        requests.enter("join h", join("h", "a"));

        // Then
        requests.done("commit h");
        assertThat(requests.begun()).containsExactly("commit g", "commit h");
        requests.done("commit g");
        assertThat(requests.begun()).containsExactly("commit g", "commit h", "delete");
        requests.done("delete");
        assertThat(requests.begun()).containsExactly("commit g", "commit h", "delete", "join h");
    }

    @Test
    void requestAboutAllGroups_waitsForEach() {
        // Given
        requests.enter("leave g", leave("g", "a"));

        // When
        requests.enter("list", Concern.ofAllGroups(Kind.READ, false));

        // Then
        assertThat(requests.begun()).containsExactly("leave g");
    }

    @ParameterizedTest
    @CsvSource({
        "COMMIT, READ",
        "READ, COMMIT",
        "COMMIT, WRITE",
        "WRITE, COMMIT",
        "WRITE, WRITE",
        "CLASSIC, COMMIT",
        "TRANSACTIONAL_COMMIT, READ",
        "TRANSACTIONAL_COMMIT, TRANSACTION_END"
    })
    void later_waitsForEarlier(Kind earlier, Kind later) {
        // Given
        requests.enter("earlier", Concern.of(earlier, "g", false));

        // When
        requests.enter("later", Concern.of(later, "g", false));

        // Then
        assertThat(requests.begun()).containsExactly("earlier");
    }

    @ParameterizedTest
    @CsvSource({
        "COMMIT, COMMIT",
        "COMMIT, TRANSACTIONAL_COMMIT",
        "READ, READ",
        "CLASSIC, CLASSIC",
        "COMMIT, TRANSACTION_END"
    })
    void later_goesBesideEarlier(Kind earlier, Kind later) {
        // Given
        requests.enter("earlier", Concern.of(earlier, "g", false));

        // When
        requests.enter("later", Concern.of(later, "g", false));

        // Then
        assertThat(requests.begun()).containsExactly("earlier", "later");
    }

    @Test
    void transactionEnd_waitsForTransactionalCommitsOfAnyGroup_andHoldsUpNobody() {
        // Given
        requests.enter("commit", Concern.of(Kind.TRANSACTIONAL_COMMIT, "g", false));
        requests.enter("end", Concern.ofAllGroups(Kind.TRANSACTION_END, true));

        // When
        requests.enter("join", join("h", "a"));

        // Then
        assertThat(requests.begun()).containsExactly("commit", "join");
        requests.done("commit");
        assertThat(requests.begun()).containsExactly("commit", "join", "end");
    }

    @Test
    void nextTransaction_waitsUntilTheOneBeforeIsEnded_andNoLonger() {
        // Given
        requests.enter("commit1", Concern.of(Kind.TRANSACTIONAL_COMMIT, "g", false));
        requests.pass("end", Concern.ofAllGroups(Kind.TRANSACTION_END, true));

        // When
        requests.pass("add", Concern.ofAllGroups(Kind.TRANSACTION_PART, true));
        requests.enter("commit2", Concern.of(Kind.TRANSACTIONAL_COMMIT, "g", false));

        // Then
        assertThat(requests.begun()).containsExactly("commit1");
        requests.done("commit1");
        assertThat(requests.begun()).containsExactly("commit1", "end", "add", "commit2");
    }

    @Test
    void partOfATransaction_waitsForNoCommit_andHoldsUpNobody() {
        // Given
        requests.enter("commit", Concern.of(Kind.TRANSACTIONAL_COMMIT, "g", false));

        // When
        requests.pass("add", Concern.ofAllGroups(Kind.TRANSACTION_PART, true));
        requests.enter("join", join("h", "a"));

        // Then
        assertThat(requests.begun()).containsExactly("commit", "add", "join");
    }

    @Test
    void heartbeats_ofOtherMembers_waitForTheJoinThatMayFoundTheirGroup_andJoinsDoNot() {
        // Given
        requests.enter("founds", join("g", "a").ofAbsentGroup());

        // When
        requests.enter("joins", join("g", "b").ofAbsentGroup());
        requests.enter("leaves", leave("g", "c"));
        requests.enter("lives", alive("g", "d"));

        // Then
        assertThat(requests.begun()).containsExactly("founds", "joins");
        requests.done("founds");
        requests.done("joins");
        assertThat(requests.begun()).containsExactly("founds", "joins", "leaves", "lives");
    }

    @Test
    void requestsThatPass_doNotWaitForEachOther() {
        // When
        requests.pass("commit", Concern.of(Kind.COMMIT, "g", true));
        requests.pass("fetch", Concern.of(Kind.READ, "g", true));
        requests.pass("delete", Concern.of(Kind.WRITE, "g", true));

        // Then
        assertThat(requests.begun()).containsExactly("commit", "fetch", "delete");
    }

    @Test
    void requestThatIsAnswered_waitsForThoseThatPassed() {
        // Given
        requests.pass("commit", Concern.of(Kind.COMMIT, "g", true));

        // When
        requests.enter("join", join("g", "a"));

        // Then
        assertThat(requests.begun()).containsExactly("commit");
        requests.done("commit");
        assertThat(requests.begun()).containsExactly("commit", "join");
    }

    @Test
    void requestThatPasses_waitsForThoseThatAreAnswered_andPassesWithTheNext() {
        // Given
        requests.enter("join", join("g", "a"));

        // When
        requests.pass("fetch", Concern.of(Kind.READ, "g", true));
        requests.pass("commit", Concern.of(Kind.COMMIT, "g", true));

        // Then
        assertThat(requests.begun()).containsExactly("join");
        requests.done("join");
        assertThat(requests.begun()).containsExactly("join", "fetch", "commit");
    }

    @Test
    void commitThatPasses_doesNotOvertakeOneThatIsJudged() {
        // Given
        requests.enter("judged", commit("g"));

        // When
        requests.pass("passes", Concern.of(Kind.COMMIT, "g", true));

        // Then
        assertThat(requests.begun()).containsExactly("judged");
    }

    @Test
    void requestThatIsDoneAtOnce_holdsUpNothing() {
        // When
        requests.enterDoneAtOnce("join", join("g", "a"));
        requests.enterDoneAtOnce("leave", leave("g", "a"));

        // Then
        assertThat(requests.begun()).containsExactly("join", "leave");
        assertThat(requests.order().isEmpty()).isTrue();
    }

    @Test
    void longQueue_ofRequestsThatAreDoneAtOnce_needsNoStack() {
        // Given
        requests.enter("first", Concern.of(Kind.WRITE, "g", false));
        for (int i = 0; i < 500; i++) {
            requests.enterDoneAtOnce("next", Concern.of(Kind.WRITE, "g", false));
        }

        // When
        requests.done("first");

        // Then
        assertThat(requests.begun()).hasSize(501);
        assertThat(requests.order().isEmpty()).isTrue();
    }

    @Test
    void requestThatFails_counts_asDone() {
        // Given
        requests.enter("join", join("g", "a"));
        requests.enter("leave", leave("g", "a"));

        // When
        requests.fail("join");

        // Then
        assertThat(requests.begun()).containsExactly("join", "leave");
    }
}
