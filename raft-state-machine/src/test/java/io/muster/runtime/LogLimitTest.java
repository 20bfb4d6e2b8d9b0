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

    private final ShardBench bench = new ShardBench();

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

    private static boolean isJoined(CompletableFuture<Response> answer) {
        return answer.isDone() && answer.join() instanceof ConsumerHeartbeatAnswer;
    }
}
