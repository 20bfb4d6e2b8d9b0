package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.CommonRecord;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.CoordinatorConfig;
import io.muster.core.GroupCommand;
import io.muster.core.GroupError;
import io.muster.core.HistoryEntry;
import io.muster.core.Response;
import io.muster.core.Response.Refused;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is left of groups that are gone, and who clears it away. */
final class GroupRemnantsTest {
    private final ShardFixture bench = new ShardFixture();

    @Test
    void historyOfADeletedGroup_isAnswered_andForgottenOnceItsRetentionIsOver() {
        ShardFixture shortMemory = new ShardFixture(CoordinatorConfig.defaults("test")
                .withRetention(CoordinatorConfig.Retention.DEFAULT.withHistoryMillis(60_000)));
        shortMemory.lead();
        deletedGroup(shortMemory, "g");

        shortMemory.run(50_000);
        assertThat(lastReason(shortMemory.ask(new GroupCommand.History("g")))).isEqualTo(HistoryEntry.Reason.DELETED);
        shortMemory.run(20_000);

        assertThat(shortMemory.ask(new GroupCommand.History("g")))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.error()).isEqualTo(GroupError.GROUP_ID_NOT_FOUND));
        assertThat(shortMemory.records("g")).isEmpty();
    }

    @Test
    void historyOfADeletedGroup_isForgottenByANewLeader() {
        ShardFixture shortMemory = new ShardFixture(CoordinatorConfig.defaults("test")
                .withRetention(CoordinatorConfig.Retention.DEFAULT.withHistoryMillis(60_000)));
        shortMemory.lead();
        deletedGroup(shortMemory, "g");
        shortMemory.leader().leaderLost();
        shortMemory.run(100_000);
        assertThat(shortMemory.records("g")).isNotEmpty();

        shortMemory.lead();
        shortMemory.run(10);

        assertThat(shortMemory.records("g")).isEmpty();
    }

    @Test
    void historyOfAGroupThatCameBack_isKept() {
        ShardFixture shortMemory = new ShardFixture(CoordinatorConfig.defaults("test")
                .withRetention(CoordinatorConfig.Retention.DEFAULT.withHistoryMillis(60_000)));
        shortMemory.lead();
        deletedGroup(shortMemory, "g");
        shortMemory.joined("g", "m");

        shortMemory.run(200_000);

        assertThat(shortMemory.records("g"))
                .filteredOn(CommonRecord.HistoryAppended.class::isInstance)
                .hasSizeGreaterThan(3);
    }

    @Test
    void claimWithoutAGroup_isReleasedByANewLeader() {
        bench.lead();
        bench.topicsAreSilent();
        CompletableFuture<Response> join = bench.leader().submit(bench.join("g", "m"));
        bench.run(100);
        bench.leader().leaderLost();
        bench.run(10);
        assertThat(join).isCompletedWithValueMatching(GroupRemnantsTest::isNotCoordinator);
        assertThat(bench.records("g")).hasOnlyElementsOfType(CommonRecord.ClaimSet.class);

        bench.lead();
        bench.run(CoordinatorConfig.defaults("test").retention().emptyGroupReleaseMillis() + 1_000);

        assertThat(bench.records("g")).isEmpty();
    }

    private static void deletedGroup(ShardFixture bench, String groupId) {
        bench.joined(groupId, "m");
        bench.ask(bench.beat(groupId, "m", ConsumerHeartbeat.LEAVE_EPOCH));
        assertThat(bench.ask(new GroupCommand.Delete(groupId))).isEqualTo(new Response.Done());
    }

    private static HistoryEntry.Reason lastReason(Response response) {
        List<HistoryEntry> entries = ((Response.GroupHistory) response).entries();
        return entries.get(entries.size() - 1).reason();
    }

    private static boolean isNotCoordinator(Response response) {
        return response instanceof Refused refused && refused.error() == GroupError.NOT_COORDINATOR;
    }
}
