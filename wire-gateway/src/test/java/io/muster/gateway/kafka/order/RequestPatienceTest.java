package io.muster.gateway.kafka.order;

import static io.muster.gateway.kafka.order.ScriptedRequests.commit;
import static io.muster.gateway.kafka.order.ScriptedRequests.join;
import static io.muster.gateway.kafka.order.ScriptedRequests.leave;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.kafka.order.Concern.Kind;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of requests whose turn does not come in time. */
class RequestPatienceTest {
    private final ScriptedRequests requests = new ScriptedRequests();

    @ParameterizedTest
    @EnumSource(names = {"JOIN", "FOUNDING_JOIN", "ACKNOWLEDGEMENT", "KEEP_ALIVE"})
    void heartbeat_whoseTurnDoesNotCome_goesOnAfterItsPatience(Kind kind) {
        // Given
        requests.enter("join", join("g", "a"));
        requests.enter("ack", new Concern(kind, Set.of("g"), "a", "", false));

        // When
        requests.advance(ScriptedRequests.HEARTBEATS.minusMillis(1));
        assertThat(requests.begun()).containsExactly("join");
        requests.advance(Duration.ofMillis(1));

        // Then
        assertThat(requests.begun()).containsExactly("join", "ack");
        assertThat(requests.late()).containsExactly("ack");
        requests.done("join");
        requests.done("ack");
        assertThat(requests.order().isEmpty()).isTrue();
        assertThat(requests.thread().scheduled()).isZero();
    }

    @Test
    void leave_waitsForACommitAsLongAsClientsWait() {
        // Given
        requests.enter("commit", commit("g"));
        requests.enter("leave", leave("g", "a"));

        // When
        requests.advance(ScriptedRequests.OTHERS.minusMillis(1));
        assertThat(requests.begun()).containsExactly("commit");
        requests.advance(Duration.ofMillis(1));

        // Then
        assertThat(requests.late()).containsExactly("leave");
    }

    @Test
    void rejoin_thatLosesItsPatience_doesNotOvertakeTheLeaveThatStillWaits() {
        // Given
        requests.enter("commit", commit("g"));
        requests.enter("leave", leave("g", "a"));
        requests.enter("rejoin", join("g", "a"));

        // When
        requests.advance(ScriptedRequests.OTHERS.minusMillis(1));
        assertThat(requests.begun()).containsExactly("commit");
        requests.advance(ScriptedRequests.HEARTBEATS);

        // Then
        assertThat(requests.begun()).containsExactly("commit", "leave", "rejoin");
    }

    @Test
    void rejoin_pastItsDeadline_beginsAsSoonAsTheLeaveBeforeIt() {
        // Given
        requests.enter("join", join("g", "a"));
        requests.advance(Duration.ofSeconds(3));
        requests.enter("commit", commit("g"), ScriptedRequests.OTHERS.plusSeconds(9));
        requests.enter("rejoin", join("g", "a"));

        // When
        requests.advance(ScriptedRequests.OTHERS);
        assertThat(requests.begun()).containsExactly("join");
        requests.advance(Duration.ofSeconds(9));

        // Then
        assertThat(requests.begun()).containsExactly("join", "commit", "rejoin");
        assertThat(requests.thread().scheduled()).isZero();
    }

    @Test
    void latestDeadline_isThatOfTheRequestsThatWait() {
        // Given
        requests.enter("commit", commit("g"));
        assertThat(requests.order().latestDeadlineNanos()).isEmpty();
        requests.advance(Duration.ofSeconds(1));

        // When
        requests.enter("leave", leave("g", "a"));

        // Then
        assertThat(requests.order().latestDeadlineNanos()).hasValue(requests.deadlineNanos());
    }

    @Test
    void commits_thatLoseTheirPatience_keepTheirOrder() {
        // Given
        requests.enter("join", join("g", "a"));
        requests.enter("commit1", commit("g"));
        requests.advance(Duration.ofSeconds(1));
        requests.enter("commit2", commit("g"));

        // When
        requests.advance(ScriptedRequests.OTHERS.plus(ScriptedRequests.OTHERS));

        // Then
        assertThat(requests.begun()).containsExactly("join", "commit1", "commit2");
    }
}
