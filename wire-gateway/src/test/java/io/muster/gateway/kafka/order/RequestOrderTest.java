package io.muster.gateway.kafka.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.gateway.kafka.order.Concern.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RequestOrderTest {
    private static final Duration HEARTBEATS = Duration.ofSeconds(5);
    private static final Duration OTHERS = Duration.ofSeconds(25);

    private final VirtualThread thread = new VirtualThread();
    private final RequestOrder order = new RequestOrder(thread, HEARTBEATS, () -> {});
    private final List<String> begun = new ArrayList<>();
    private final List<String> late = new ArrayList<>();
    private final Map<String, CompletableFuture<Void>> underWay = new TreeMap<>();

    @Test
    void leave_waitsForTheJoinOfItsMember() {
        // Given
        enter("join", join("g", "a"));

        // When
        enter("leave", leave("g", "a"));

        // Then
        assertThat(begun).containsExactly("join");
        done("join");
        assertThat(begun).containsExactly("join", "leave");
    }

    @Test
    void leave_waitsForAllCommitsOfItsGroup() {
        // Given
        enter("commit1", commit("g"));
        enter("commit2", commit("g"));

        // When
        enter("leave", leave("g", "a"));

        // Then
        assertThat(begun).containsExactly("commit1", "commit2");
        done("commit2");
        assertThat(begun).containsExactly("commit1", "commit2");
        done("commit1");
        assertThat(begun).containsExactly("commit1", "commit2", "leave");
    }

    @Test
    void keepAlive_waitsForNoCommit() {
        // Given
        enter("commit", commit("g"));
        enter("leave", leave("g", "a"));

        // When
        enter("alive", alive("g", "b"));

        // Then
        assertThat(begun).containsExactly("commit", "alive");
    }

    @Test
    void keepAlive_waitsForTheJoinOfItsMemberOnly() {
        // Given
        enter("join", join("g", "a"));

        // When
        enter("other", alive("g", "b"));
        enter("own", alive("g", "a"));

        // Then
        assertThat(begun).containsExactly("join", "other");
        done("join");
        assertThat(begun).containsExactly("join", "other", "own");
    }

    @Test
    void heartbeat_waitsForOneUnderTheSameInstanceId() {
        // Given
        enter("leave", Concern.heartbeat("g", "old", "i1", -2, false));

        // When
        enter("join", Concern.heartbeat("g", "new", "i1", 0, true));

        // Then
        assertThat(begun).containsExactly("leave");
    }

    @Test
    void groups_doNotWaitForEachOther() {
        // When
        enter("join g", join("g", "a"));
        enter("join h", join("h", "a"));
        enter("commit h", commit("h"));
        enter("delete i", Concern.of(Kind.WRITE, "i", false));

        // Then
        assertThat(begun).containsExactly("join g", "join h", "delete i");
    }

    @Test
    void requestAboutManyGroups_waitsInEach() {
        // Given
        enter("commit g", commit("g"));
        enter("commit h", commit("h"));

        // When
        enter("delete", Concern.of(Kind.WRITE, List.of("g", "h"), false));
        enter("join h", join("h", "a"));

        // Then
        done("commit h");
        assertThat(begun).containsExactly("commit g", "commit h");
        done("commit g");
        assertThat(begun).containsExactly("commit g", "commit h", "delete");
        done("delete");
        assertThat(begun).containsExactly("commit g", "commit h", "delete", "join h");
    }

    @Test
    void requestAboutAllGroups_waitsForEach() {
        // Given
        enter("leave g", leave("g", "a"));

        // When
        enter("list", Concern.ofAllGroups(Kind.READ, false));

        // Then
        assertThat(begun).containsExactly("leave g");
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
        enter("earlier", Concern.of(earlier, "g", false));

        // When
        enter("later", Concern.of(later, "g", false));

        // Then
        assertThat(begun).containsExactly("earlier");
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
        enter("earlier", Concern.of(earlier, "g", false));

        // When
        enter("later", Concern.of(later, "g", false));

        // Then
        assertThat(begun).containsExactly("earlier", "later");
    }

    @Test
    void transactionEnd_waitsForTransactionalCommitsOfAnyGroup_andHoldsUpNobody() {
        // Given
        enter("commit", Concern.of(Kind.TRANSACTIONAL_COMMIT, "g", false));
        enter("end", Concern.ofAllGroups(Kind.TRANSACTION_END, true));

        // When
        enter("join", join("h", "a"));

        // Then
        assertThat(begun).containsExactly("commit", "join");
        done("commit");
        assertThat(begun).containsExactly("commit", "join", "end");
    }

    @Test
    void nextTransaction_waitsUntilTheOneBeforeIsEnded_andNoLonger() {
        // Given
        enter("commit1", Concern.of(Kind.TRANSACTIONAL_COMMIT, "g", false));
        pass("end", Concern.ofAllGroups(Kind.TRANSACTION_END, true));

        // When
        pass("add", Concern.ofAllGroups(Kind.TRANSACTION_PART, true));
        enter("commit2", Concern.of(Kind.TRANSACTIONAL_COMMIT, "g", false));

        // Then
        assertThat(begun).containsExactly("commit1");
        done("commit1");
        assertThat(begun).containsExactly("commit1", "end", "add", "commit2");
    }

    @Test
    void partOfATransaction_waitsForNoCommit_andHoldsUpNobody() {
        // Given
        enter("commit", Concern.of(Kind.TRANSACTIONAL_COMMIT, "g", false));

        // When
        pass("add", Concern.ofAllGroups(Kind.TRANSACTION_PART, true));
        enter("join", join("h", "a"));

        // Then
        assertThat(begun).containsExactly("commit", "add", "join");
    }

    @Test
    void heartbeats_ofOtherMembers_waitForTheJoinThatMayFoundTheirGroup_andJoinsDoNot() {
        // Given
        enter("founds", join("g", "a").ofAbsentGroup());

        // When
        enter("joins", join("g", "b").ofAbsentGroup());
        enter("leaves", leave("g", "c"));
        enter("lives", alive("g", "d"));

        // Then
        assertThat(begun).containsExactly("founds", "joins");
        done("founds");
        done("joins");
        assertThat(begun).containsExactly("founds", "joins", "leaves", "lives");
    }

    @Test
    void requestsThatPass_doNotWaitForEachOther() {
        // When
        pass("commit", Concern.of(Kind.COMMIT, "g", true));
        pass("fetch", Concern.of(Kind.READ, "g", true));
        pass("delete", Concern.of(Kind.WRITE, "g", true));

        // Then
        assertThat(begun).containsExactly("commit", "fetch", "delete");
    }

    @Test
    void requestThatIsAnswered_waitsForThoseThatPassed() {
        // Given
        pass("commit", Concern.of(Kind.COMMIT, "g", true));

        // When
        enter("join", join("g", "a"));

        // Then
        assertThat(begun).containsExactly("commit");
        done("commit");
        assertThat(begun).containsExactly("commit", "join");
    }

    @Test
    void requestThatPasses_waitsForThoseThatAreAnswered_andPassesWithTheNext() {
        // Given
        enter("join", join("g", "a"));

        // When
        pass("fetch", Concern.of(Kind.READ, "g", true));
        pass("commit", Concern.of(Kind.COMMIT, "g", true));

        // Then
        assertThat(begun).containsExactly("join");
        done("join");
        assertThat(begun).containsExactly("join", "fetch", "commit");
    }

    @Test
    void commitThatPasses_doesNotOvertakeOneThatIsJudged() {
        // Given
        enter("judged", commit("g"));

        // When
        pass("passes", Concern.of(Kind.COMMIT, "g", true));

        // Then
        assertThat(begun).containsExactly("judged");
    }

    @ParameterizedTest
    @EnumSource(names = {"JOIN", "FOUNDING_JOIN", "ACKNOWLEDGEMENT", "KEEP_ALIVE"})
    void heartbeat_whoseTurnDoesNotCome_goesOnAfterItsPatience(Kind kind) {
        // Given
        enter("join", join("g", "a"));
        enter("ack", new Concern(kind, join("g", "a").groups(), join("g", "a").members(), false));

        // When
        thread.advance(HEARTBEATS.minusMillis(1));
        assertThat(begun).containsExactly("join");
        thread.advance(Duration.ofMillis(1));

        // Then
        assertThat(begun).containsExactly("join", "ack");
        assertThat(late).containsExactly("ack");
        done("join");
        done("ack");
        assertThat(order.isEmpty()).isTrue();
        assertThat(thread.scheduled()).isZero();
    }

    @Test
    void leave_waitsForACommitAsLongAsClientsWait() {
        // Given
        enter("commit", commit("g"));
        enter("leave", leave("g", "a"));

        // When
        thread.advance(OTHERS.minusMillis(1));
        assertThat(begun).containsExactly("commit");
        thread.advance(Duration.ofMillis(1));

        // Then
        assertThat(late).containsExactly("leave");
    }

    @Test
    void rejoin_thatLosesItsPatience_doesNotOvertakeTheLeaveThatStillWaits() {
        // Given
        enter("commit", commit("g"));
        enter("leave", leave("g", "a"));
        enter("rejoin", join("g", "a"));

        // When
        thread.advance(OTHERS.minusMillis(1));
        assertThat(begun).containsExactly("commit");
        thread.advance(HEARTBEATS);

        // Then
        assertThat(begun).containsExactly("commit", "leave", "rejoin");
    }

    @Test
    void rejoin_pastItsDeadline_beginsAsSoonAsTheLeaveBeforeIt() {
        // Given
        enter("join", join("g", "a"));
        thread.advance(Duration.ofSeconds(3));
        order.enter(commit("g"), deadlineNanos() + Duration.ofSeconds(9).toNanos(), new Scripted("commit", false));
        enter("rejoin", join("g", "a"));

        // When
        thread.advance(OTHERS);
        assertThat(begun).containsExactly("join");
        thread.advance(Duration.ofSeconds(9));

        // Then
        assertThat(begun).containsExactly("join", "commit", "rejoin");
        assertThat(thread.scheduled()).isZero();
    }

    @Test
    void latestDeadline_isThatOfTheRequestsThatWait() {
        // Given
        enter("commit", commit("g"));
        assertThat(order.latestDeadlineNanos()).isEmpty();
        thread.advance(Duration.ofSeconds(1));

        // When
        enter("leave", leave("g", "a"));

        // Then
        assertThat(order.latestDeadlineNanos()).hasValue(deadlineNanos());
    }

    @Test
    void commits_thatLoseTheirPatience_keepTheirOrder() {
        // Given
        enter("join", join("g", "a"));
        enter("commit1", commit("g"));
        thread.advance(Duration.ofSeconds(1));
        enter("commit2", commit("g"));

        // When
        thread.advance(OTHERS.plus(OTHERS));

        // Then
        assertThat(begun).containsExactly("join", "commit1", "commit2");
    }

    @Test
    void requestThatIsDoneAtOnce_holdsUpNothing() {
        // When
        order.enter(join("g", "a"), deadlineNanos(), new Instant("join"));
        order.enter(leave("g", "a"), deadlineNanos(), new Instant("leave"));

        // Then
        assertThat(begun).containsExactly("join", "leave");
        assertThat(order.isEmpty()).isTrue();
    }

    @Test
    void longQueue_ofRequestsThatAreDoneAtOnce_needsNoStack() {
        // Given
        enter("first", Concern.of(Kind.WRITE, "g", false));
        for (int i = 0; i < 500; i++) {
            order.enter(Concern.of(Kind.WRITE, "g", false), deadlineNanos(), new Instant("next"));
        }

        // When
        done("first");

        // Then
        assertThat(begun).hasSize(501);
        assertThat(order.isEmpty()).isTrue();
    }

    @Test
    void requestThatFails_counts_asDone() {
        // Given
        enter("join", join("g", "a"));
        enter("leave", leave("g", "a"));

        // When
        underWay.get("join").completeExceptionally(new IllegalStateException("the connection broke"));

        // Then
        assertThat(begun).containsExactly("join", "leave");
    }

    private void enter(String name, Concern concern) {
        order.enter(concern, deadlineNanos(), new Scripted(name, false));
    }

    private void pass(String name, Concern concern) {
        order.enter(concern, deadlineNanos(), new Scripted(name, true));
    }

    private void done(String name) {
        underWay.get(name).complete(null);
    }

    private long deadlineNanos() {
        return thread.nanoTime() + OTHERS.toNanos();
    }

    private static Concern join(String group, String member) {
        return Concern.heartbeat(group, member, "", 0, true);
    }

    private static Concern alive(String group, String member) {
        return Concern.heartbeat(group, member, "", 3, false);
    }

    private static Concern leave(String group, String member) {
        return Concern.heartbeat(group, member, "", -1, false);
    }

    private static Concern commit(String group) {
        return Concern.of(Kind.COMMIT, group, false);
    }

    /** Under way until the test says that it is done. */
    private final class Scripted implements RequestOrder.Request {
        private final String name;
        private final boolean passes;

        Scripted(String name, boolean passes) {
            this.name = name;
            this.passes = passes;
        }

        @Override
        public RequestOrder.Begun begin() {
            begun.add(name);
            CompletableFuture<Void> done = new CompletableFuture<>();
            underWay.put(name, done);
            return new RequestOrder.Begun(passes, done);
        }

        @Override
        public RequestOrder.Begun beginLate() {
            late.add(name);
            return begin();
        }
    }

    /** Done as soon as it begins. */
    private final class Instant implements RequestOrder.Request {
        private final String name;

        Instant(String name) {
            this.name = name;
        }

        @Override
        public RequestOrder.Begun begin() {
            begun.add(name);
            return new RequestOrder.Begun(false, CompletableFuture.completedFuture(null));
        }

        @Override
        public RequestOrder.Begun beginLate() {
            return begin();
        }
    }
}
