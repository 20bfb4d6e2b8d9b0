package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Command;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.Kind;
import io.muster.core.ConsumerCommand;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.CoordinatorConfig;
import io.muster.core.FeatureLevel;
import io.muster.core.GroupCommand;
import io.muster.core.GroupDescription;
import io.muster.core.GroupError;
import io.muster.core.GroupInspection;
import io.muster.core.GroupType;
import io.muster.core.Response;
import io.muster.core.Response.ConsumerHeartbeatAnswer;
import io.muster.core.Response.Refused;
import io.muster.core.ShardTime;
import io.muster.core.StreamsCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ShardLeaderTest {
    private final ShardFixture bench = new ShardFixture();

    @Test
    void command_withoutLeadership_isRefused() {
        CompletableFuture<Response> answer = bench.leader().submit(bench.join("g", "m"));
        bench.run(10);

        assertThat(answer).isCompletedWithValueMatching(ShardLeaderTest::isNotCoordinator);
    }

    @Test
    void join_getsItsAssignment_inTwoEntriesAtMost() {
        bench.lead();
        int before = bench.entries();

        ConsumerHeartbeatAnswer joined = bench.joined("g", "m");

        assertThat(joined.memberEpoch()).isPositive();
        assertThat(bench.entries() - before).isLessThanOrEqualTo(2);
        assertThat(bench.leader().counters().counts().entries()).isEqualTo(bench.entries());
    }

    @Test
    void tenThousandHeartbeatsThatChangeNothing_addNothingToTheLog() {
        bench.lead();
        int epoch = bench.joined("g", "m").memberEpoch();
        int entries = bench.entries();

        for (int i = 0; i < 10_000; i++) {
            assertThat(bench.ask(bench.beat("g", "m", epoch))).isInstanceOf(ConsumerHeartbeatAnswer.class);
        }

        assertThat(bench.entries()).isEqualTo(entries);
        assertThat(bench.leader().counters().counts().quietDecisions()).isGreaterThanOrEqualTo(10_000);
    }

    @Test
    void settledCommit_isTakenWithoutAskingWhetherTheNodeStillLeads() {
        // Given
        bench.lead();
        int epoch = bench.joined("g", "m").memberEpoch();
        bench.confirms(false);

        // When
        CompletableFuture<Response> settled = bench.leader().submit(new CommitCommand.Settled("g", "admission", false));
        bench.run(1);
        CompletableFuture<Response> heartbeat = bench.leader().submit(bench.beat("g", "m", epoch));
        bench.run(1);

        // Then
        assertThat(settled).isCompletedWithValue(new Response.Done());
        assertThat(heartbeat).isCompletedWithValueMatching(ShardLeaderTest::isNotCoordinator);
    }

    @Test
    void groupsThatAreDecidedTogether_shareOneEntry() {
        bench.lead();
        int before = bench.entries();

        List<CompletableFuture<Response>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            answers.add(bench.leader().submit(bench.join("g" + i, "m")));
        }
        bench.run(1_000);

        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(bench.entries() - before).isLessThan(10);
    }

    @Test
    void quietReply_isRefused_whenLeadershipCannotBeConfirmed() {
        bench.lead();
        int epoch = bench.joined("g", "m").memberEpoch();

        bench.confirms(false);
        Response answer = bench.ask(bench.beat("g", "m", epoch));
        bench.confirms(true);

        assertThat(answer).matches(ShardLeaderTest::isNotCoordinator);
        assertThat(bench.ask(bench.beat("g", "m", epoch))).isInstanceOf(ConsumerHeartbeatAnswer.class);
    }

    @Test
    void stepDown_answersWhatIsPending_andForgetsEverything() {
        bench.lead();
        bench.holdOutcomes();
        CompletableFuture<Response> answer = bench.leader().submit(bench.join("g", "m"));
        bench.run(1);
        assertThat(answer).isNotDone();

        bench.leader().leaderLost();
        bench.letOutcomesGo();
        bench.run(10);

        assertThat(answer).isCompletedWithValueMatching(ShardLeaderTest::isNotCoordinator);
    }

    @Test
    void reportsForAGroupThatIsGone_areAnswered() {
        bench.lead();
        Command patterns = new ConsumerCommand.PatternsResolved("gone", new TreeMap<>());
        Command topics = new StreamsCommand.InternalTopicsReported("gone", new TreeMap<>());
        Command ends = new StreamsCommand.EndOffsetsRead("gone", List.of());

        assertThat(List.of(bench.ask(patterns), bench.ask(topics), bench.ask(ends)))
                .containsOnly(new Response.Done());
    }

    @Test
    void reportsForAGroupOfAnotherType_areAnswered() {
        bench.lead();
        bench.joined("g", "m");

        assertThat(bench.ask(new StreamsCommand.EndOffsetsRead("g", List.of()))).isEqualTo(new Response.Done());
        assertThat(bench.ask(new StreamsCommand.InternalTopicsReported("g", new TreeMap<>())))
                .isEqualTo(new Response.Done());
    }

    @Test
    void join_whoseMemberAndGroupGoInTheSameDecision_isAnswered() {
        bench.lead();
        bench.joined("g", "m");

        CompletableFuture<Response> join = bench.leader().submit(bench.join("g", "m"));
        CompletableFuture<Response> remove = bench.leader()
                .submit(new GroupCommand.RemoveMembers("g", List.of(new GroupCommand.MemberKey("m", "")), true));
        CompletableFuture<Response> delete = bench.leader().submit(new GroupCommand.Delete("g"));
        bench.run(100);

        assertThat(join).isDone();
        assertThat(remove).isDone();
        assertThat(delete).isDone();
    }

    @Test
    void joinThatWaitsForTopics_isAnsweredOnceItsPatienceEnds() {
        bench.lead();
        bench.topicsAreSilent();

        CompletableFuture<Response> answer = bench.leader().submit(bench.join("g", "m"));
        bench.run(CoordinatorConfig.defaults("test").patienceMillis() + 600);

        assertThat(answer).isDone();
    }

    @Test
    void ownedGroups_areAnnounced_whenTheyComeAndGo() {
        bench.lead();
        int epoch = bench.joined("g", "m").memberEpoch();
        assertThat(bench.owned()).containsExactly("g");

        bench.ask(bench.beat("g", "m", ConsumerHeartbeat.LEAVE_EPOCH));
        assertThat(epoch).isPositive();
        bench.ask(new GroupCommand.Delete("g"));

        assertThat(bench.owned()).isEmpty();
    }

    @Test
    void list_showsGroupsInMemoryAndInTheStore() {
        bench.lead();
        bench.joined("a", "m");
        bench.joined("b", "m");
        bench.leader().leaderLost();
        bench.lead();
        bench.joined("c", "m");

        CompletableFuture<List<GroupSummary>> list = bench.leader().listGroups();
        bench.run(10);

        assertThat(list.getNow(List.of())).extracting(GroupSummary::groupId).containsExactly("a", "b", "c");
        assertThat(list.getNow(List.of()))
                .allSatisfy(group -> assertThat(group.type()).isEqualTo(GroupType.CONSUMER));
    }

    @Test
    void describe_ofAMissingGroup_leavesNothingInMemory() {
        bench.lead();
        int before = bench.entries();

        Response answer = bench.ask(new GroupCommand.Describe("nobody", GroupType.CONSUMER));

        assertThat(answer).isNotInstanceOf(GroupDescription.class);
        assertThat(bench.entries()).isEqualTo(before);
    }

    @Test
    void newShard_startsAtTheLevelOfItsFirstLeader() {
        assertThat(bench.featureLevel()).isEqualTo(FeatureLevel.FIRST);

        bench.lead();

        assertThat(bench.featureLevel()).isEqualTo(FeatureLevel.SUPPORTED);
    }

    @Test
    void newShard_isFoundedOnce_andGetsAMarkForEachLeadership() {
        // When
        bench.lead();
        ClusterIdentity founded = bench.identity().orElseThrow();
        bench.lead();

        // Then
        assertThat(founded).isEqualTo(new ClusterIdentity("test", "incarnation", 1, List.of("1")));
        assertThat(bench.identity()).contains(founded);
        assertThat(bench.claimMarks()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void featureLevel_isRaisedByTheLeaderOnly_andNoFurtherThanItKnows() {
        assertThat(raised(FeatureLevel.FIRST)).matches(ShardLeaderTest::isNotCoordinator);
        bench.lead();

        assertThat(raised(FeatureLevel.SUPPORTED)).isEqualTo(new Response.Done());
        assertThat(raised(FeatureLevel.SUPPORTED + 1)).isInstanceOf(Refused.class);
        assertThat(bench.joined("g", "m").memberEpoch()).isPositive();
    }

    private Response raised(int level) {
        CompletableFuture<Response> answer = bench.leader().raiseFeatureLevel(level);
        bench.run(10);
        return answer.join();
    }

    @Test
    void firstCommitByAConnection_isAnnouncedToGateways_evenIfNobodyHearsOfItsEnd() {
        // Given
        bench.lead();
        int epoch = bench.joined("g", "m").memberEpoch();
        bench.run(10_000);

        // When
        bench.ask(commit("c1", epoch));
        bench.ask(commit("c1", epoch));
        bench.nextOutcome(new ProposalOutcome.Unknown("no answer"));
        bench.ask(commit("c2", epoch));

        // Then
        assertThat(bench.recorded()).containsExactly(new ShardTime(0, 1, 1), new ShardTime(0, 1, 3));
    }

    @Test
    void newLeader_hasFencedAGroupWithMembers_beforeAnybodyWaitsForIt() {
        // Given
        bench.lead();
        bench.joined("g", "m");
        bench.run(10_000);

        // When
        bench.lead();
        bench.run(500);

        // Then
        assertThat(bench.ask(new GroupCommand.Inspect("g")))
                .isInstanceOfSatisfying(
                        GroupInspection.class,
                        inspection -> assertThat(inspection.claim()).isEqualTo("held as claim-of-g, generation 1"));
    }

    private static CommitCommand commit(String connection, int epoch) {
        return new CommitCommand.Admit(
                "g",
                connection,
                CommitCommand.Connection.justOpened(connection),
                new CommitCommand.Committer("m", "", epoch),
                Kind.PLAIN,
                9,
                Set.of());
    }

    private static boolean isNotCoordinator(Response response) {
        return response instanceof Refused refused && refused.error() == GroupError.NOT_COORDINATOR;
    }
}
