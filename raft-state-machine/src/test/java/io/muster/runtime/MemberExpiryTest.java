package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.CoordinatorConfig;
import io.muster.core.Response;
import io.muster.core.Response.ConsumerHeartbeatAnswer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When members that are silent expire, whatever the leader and its machine go through. */
final class MemberExpiryTest {
    private static final long SESSION_MILLIS =
            CoordinatorConfig.defaults("test").consumer().sessionTimeoutMillis();

    private final ShardFixture bench = new ShardFixture();

    @Test
    void silentMember_expires_afterItsSession() {
        bench.lead();
        bench.joined("g", "m");

        bench.run(SESSION_MILLIS - 1_000);
        assertThat(bench.members("g")).containsExactly("m");
        bench.run(2_000);

        assertThat(bench.members("g")).isEmpty();
    }

    @Test
    void standstillOfTheLeader_expiresNobody() {
        bench.lead();
        int epoch = bench.joined("g", "m").memberEpoch();

        bench.standStill(2 * SESSION_MILLIS);
        bench.run(1_000);

        assertThat(bench.ask(bench.beat("g", "m", epoch))).isInstanceOf(ConsumerHeartbeatAnswer.class);
        bench.run(SESSION_MILLIS + 1_000);
        assertThat(bench.members("g")).isEmpty();
    }

    @Test
    void standstill_thatTheShardSeesFirst_expiresNobody() {
        bench.lead();
        int epoch = bench.joined("g", "m").memberEpoch();

        bench.standStill(2 * SESSION_MILLIS);
        bench.runShardFirst(1_000);
        bench.run(1_000);

        assertThat(bench.ask(bench.beat("g", "m", epoch))).isInstanceOf(ConsumerHeartbeatAnswer.class);
    }

    @Test
    void shardThatIsBusyAllTheTime_expiresSilentMembers() {
        bench.lead();
        bench.joined("g", "m");

        for (long passed = 0; passed < SESSION_MILLIS + 3_000; passed += 3_000) {
            bench.work(3_000);
            bench.run(0);
        }
        bench.run(10);

        assertThat(bench.members("g")).isEmpty();
    }

    @Test
    void groupThatAlwaysHasArrivals_expiresSilentMembers() {
        bench.lead();
        int epoch = bench.joined("g", "silent").memberEpoch();
        for (int i = 0; i < 3; i++) {
            epoch = bench.joined("g", "loud").memberEpoch();
        }

        for (long passed = 0; passed < SESSION_MILLIS + 1_000; passed += 100) {
            bench.work(100);
            CompletableFuture<Response> unused = bench.leader().submit(bench.beat("g", "loud", epoch));
            bench.run(0);
        }

        assertThat(bench.members("g")).containsExactly("loud");
    }

    @Test
    void memberWithAnOddName_expires() {
        bench.lead();
        bench.joined("g", "\0patience");
        bench.run(SESSION_MILLIS + 1_000);

        assertThat(bench.members("g")).isEmpty();
    }

    /** Each leader gives every member its session in full: fail-overs in a row keep a dead member, and no longer than that. */
    @Test
    void memberThatDied_staysThroughFailOversInARow_andGoesOneSessionAfterTheLast() {
        bench.lead();
        bench.joined("g", "m");
        for (int i = 0; i < 20; i++) {
            bench.run(SESSION_MILLIS - 1_000);
            bench.leader().leaderLost();
            bench.lead();
        }
        assertThat(bench.members("g")).containsExactly("m");

        bench.run(SESSION_MILLIS + 1_000);

        assertThat(bench.members("g")).isEmpty();
    }

    @Test
    void newLeader_armsTheTimersOfGroupsThatNobodyAsksFor() {
        bench.lead();
        bench.joined("g", "m");

        bench.leader().leaderLost();
        bench.lead();
        bench.run(2 * SESSION_MILLIS);

        assertThat(bench.members("g")).isEmpty();
    }

    @Test
    void heartbeatThatLiesInTheMailbox_keepsTheSessionAlive() {
        bench.lead();
        int epoch = bench.joined("g", "m").memberEpoch();
        bench.run(SESSION_MILLIS - 300);

        bench.holdOutcomes();
        CompletableFuture<Response> other = bench.leader().submit(bench.join("g", "n"));
        bench.run(1);
        CompletableFuture<Response> beat = bench.leader().submit(bench.beat("g", "m", epoch));
        bench.run(1_000);
        bench.letOutcomesGo();
        bench.run(100);

        assertThat(other).isDone();
        assertThat(beat).isCompletedWithValueMatching(answer -> answer instanceof ConsumerHeartbeatAnswer);
        assertThat(bench.members("g")).contains("m");
    }
}
