package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.CoordinatorConfig;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.core.Response.ConsumerHeartbeatAnswer;
import io.muster.core.Response.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the leader does about decisions that the log cannot hold. */
final class LogLimitTest {
    private static final long SESSION_MILLIS =
            CoordinatorConfig.defaults("test").consumer().sessionTimeoutMillis();

    private final ShardFixture bench = new ShardFixture();

    @Test
    void decisionsOnManyGroups_becomeSeveralEntries() {
        // Given
        bench.lead();
        bench.mostBytes(4_000);
        int before = bench.entries();

        // When
        List<CompletableFuture<Response>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(bench.leader().submit(bench.join("g" + i, "m")));
        }
        bench.run(1_000);

        // Then
        assertThat(answers).allMatch(LogLimitTest::isJoined);
        assertThat(bench.entries() - before).isGreaterThan(2);
    }

    /** No decision on another group stands between: it would put off those that fit. */
    @Test
    void decisionsThatAreTooLargeTogether_areProposedOneByOne_atOnce() {
        // Given
        bench.lead();
        List<String> groupIds = List.of("g0", "g1", "g2", "g3");
        groupIds.forEach(groupId -> bench.joined(groupId, "m"));
        bench.run(1_000);
        bench.mostBytes(400);
        int before = bench.entries();

        // When
        groupIds.forEach(groupId -> {
            CompletableFuture<Response> unused = bench.leader().submit(bench.join(groupId, "n"));
        });
        bench.runOne();

        // Then
        assertThat(bench.entries() - before).isEqualTo(4);
    }

    @Test
    void joinsThatAreTooLargeTogether_areDecidedInSteps() {
        // Given
        bench.lead();
        bench.joined("g", "first");
        bench.mostBytes(30_000);

        // When
        List<CompletableFuture<Response>> answers = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            answers.add(bench.leader().submit(bench.join("g", "m" + i, 200)));
        }
        bench.run(1_000);

        // Then
        assertThat(answers).allMatch(LogLimitTest::isJoined);
        assertThat(bench.members("g")).hasSize(31);
    }

    @Test
    void requestThatIsTooLargeByItself_isRefused_andTheGroupGoesOn() {
        // Given
        bench.lead();
        int epoch = bench.joined("g", "other").memberEpoch();
        bench.mostBytes(20_000);

        // When
        CompletableFuture<Response> large = bench.leader().submit(bench.join("g", "large", 5_000));
        CompletableFuture<Response> small = bench.leader().submit(bench.join("g", "small"));
        CompletableFuture<Response> elsewhere = bench.leader().submit(bench.join("h", "m"));
        bench.run(1_000);

        // Then
        assertThat(large)
                .isCompletedWithValueMatching(answer -> answer instanceof Refused refused
                        && refused.error() == GroupError.INVALID_REQUEST
                        && refused.message().contains("20000"));
        assertThat(small).matches(LogLimitTest::isJoined);
        assertThat(elsewhere).matches(LogLimitTest::isJoined);
        assertThat(bench.members("g")).containsExactly("other", "small");
        assertThat(bench.ask(bench.beat("g", "other", epoch))).isInstanceOf(ConsumerHeartbeatAnswer.class);
    }

    @Test
    void requestThatIsTooLarge_keepsTheTimersOfTheGroup() {
        // Given
        bench.lead();
        bench.joined("g", "other");
        bench.mostBytes(20_000);

        // When
        bench.ask(bench.join("g", "large", 5_000));
        bench.run(SESSION_MILLIS + 1_000);

        // Then
        assertThat(bench.members("g")).isEmpty();
    }

    @Test
    void largeTarget_thatTheLogCannotHold_isNotComputedAgainForTheSameGroupEpoch() {
        // Given
        ShardFixture aside = new ShardFixture(CoordinatorConfig.defaults("test").withLargeTargetSize(0));
        aside.lead();
        aside.partitions(5_000);
        aside.mostBytes(2_000);

        // When
        int epoch = aside.joined("g", "m").memberEpoch();
        for (int beats = 0; beats < 20; beats++) {
            aside.run(3_000);
            assertThat(aside.ask(aside.beat("g", "m", epoch))).isInstanceOf(ConsumerHeartbeatAnswer.class);
        }

        // Then
        assertThat(aside.tooLarge()).isEqualTo(1);
        assertThat(aside.members("g")).containsExactly("m");

        // And the next group epoch gets its target once the log holds it
        aside.mostBytes(1_000_000);
        aside.joined("g", "n");
        aside.run(100);
        assertThat(aside.joined("g", "n").memberEpoch()).isGreaterThan(epoch);
    }

    @Test
    void change_thatNoOpenCommandAskedFor_endsWhenTheLogCannotHoldIt() {
        // Given
        bench.lead();
        bench.topicsAreSilent();
        bench.mostBytes(10);

        // When a join waits for topics, and the claim that is begun does not fit
        CompletableFuture<Response> join = bench.leader().submit(bench.join("g", "m"));
        bench.run(60_000);

        // Then
        assertThat(join).isCompletedWithValueMatching(answer -> answer instanceof Refused);
        assertThat(bench.tooLarge()).isLessThan(10);
    }

    @Test
    void heartbeat_thatIsSplitFromTheTimerItCameWith_keepsItsMember() {
        // Given
        bench.lead();
        int epoch = bench.joined("g", "m").memberEpoch();
        bench.mostBytes(3_000);
        bench.run(SESSION_MILLIS - 100);

        // When the session ends while the heartbeat lies in the mailbox, before joins that are too large together
        CompletableFuture<Response> beat = bench.leader().submit(bench.beat("g", "m", epoch));
        List<CompletableFuture<Response>> joins = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            joins.add(bench.leader().submit(bench.join("g", "n" + i)));
        }
        bench.work(200);
        bench.run(100);

        // Then
        assertThat(bench.tooLarge()).isPositive();
        assertThat(beat).matches(LogLimitTest::isJoined);
        assertThat(joins).allMatch(LogLimitTest::isJoined);
        assertThat(bench.members("g")).hasSize(41).contains("m");
        bench.run(SESSION_MILLIS + 1_000);
        assertThat(bench.members("g")).isEmpty();
    }

    @Test
    void silentMember_expires_underLastingOverloadByCommandsThatAreTooLargeTogether() {
        // Given
        bench.lead();
        bench.joined("g", "silent");
        bench.mostBytes(3_500);
        bench.run(SESSION_MILLIS - 10);
        String large = "x".repeat(500);

        // When two come in the time of one decision, and two do not fit into one entry
        for (int i = 0; i < 60; i++) {
            CompletableFuture<Response> unused = bench.leader().submit(bench.join("g", "a" + i + large));
            CompletableFuture<Response> unusedToo = bench.leader().submit(bench.join("g", "b" + i + large));
            bench.run(1);
        }

        // Then
        assertThat(bench.tooLarge()).isPositive();
        assertThat(bench.members("g")).isNotEmpty().doesNotContain("silent");
    }

    private static boolean isJoined(CompletableFuture<Response> answer) {
        return answer.isDone() && answer.join() instanceof ConsumerHeartbeatAnswer;
    }
}
