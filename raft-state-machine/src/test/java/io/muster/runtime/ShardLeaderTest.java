package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.CommonRecord;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.CoordinatorConfig;
import io.muster.core.FeatureLevel;
import io.muster.core.GroupCommand;
import io.muster.core.GroupDescription;
import io.muster.core.GroupError;
import io.muster.core.GroupType;
import io.muster.core.HistoryEntry;
import io.muster.core.InternalCommand;
import io.muster.core.Response;
import io.muster.core.Response.ConsumerHeartbeatAnswer;
import io.muster.core.Response.Refused;
import io.muster.runtime.ProposalOutcome.Unknown;
import io.muster.runtime.ProposalOutcome.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ShardLeaderTest {
    private static final long SESSION_MILLIS =
            CoordinatorConfig.defaults("test").consumer().sessionTimeoutMillis();

    private final ShardBench bench = new ShardBench();

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
    void unknownOutcome_isAnsweredNotCoordinator_andTheGroupIsLoadedAgain() {
        bench.lead();
        bench.joined("g", "m");

        bench.nextOutcome(new Unknown("timeout"));
        Response answer = bench.ask(bench.join("g", "n"));

        assertThat(answer).matches(ShardLeaderTest::isNotCoordinator);
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
        assertThat(lost).isCompletedWithValueMatching(ShardLeaderTest::isNotCoordinator);

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
    void reportsForAGroupThatIsGone_areAnswered() {
        bench.lead();
        InternalCommand patterns = new InternalCommand.PatternsResolved("gone", new TreeMap<>());
        InternalCommand topics = new InternalCommand.InternalTopicsReported("gone", new TreeMap<>());
        InternalCommand ends = new InternalCommand.EndOffsetsRead("gone", List.of());

        assertThat(List.of(bench.ask(patterns), bench.ask(topics), bench.ask(ends)))
                .containsOnly(new Response.Done());
    }

    @Test
    void reportsForAGroupOfAnotherType_areAnswered() {
        bench.lead();
        bench.joined("g", "m");

        assertThat(bench.ask(new InternalCommand.EndOffsetsRead("g", List.of())))
                .isEqualTo(new Response.Done());
        assertThat(bench.ask(new InternalCommand.InternalTopicsReported("g", new TreeMap<>())))
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

    @Test
    void joinThatWaitsForTopics_isAnsweredOnceItsPatienceEnds() {
        bench.lead();
        bench.topicsAreSilent();

        CompletableFuture<Response> answer = bench.leader().submit(bench.join("g", "m"));
        bench.run(CoordinatorConfig.defaults("test").patienceMillis() + 600);

        assertThat(answer).isDone();
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
    void historyOfADeletedGroup_isAnswered_andForgottenOnceItsRetentionIsOver() {
        ShardBench shortMemory =
                new ShardBench(CoordinatorConfig.defaults("test").withHistoryRetentionMillis(60_000));
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
        ShardBench shortMemory =
                new ShardBench(CoordinatorConfig.defaults("test").withHistoryRetentionMillis(60_000));
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
        ShardBench shortMemory =
                new ShardBench(CoordinatorConfig.defaults("test").withHistoryRetentionMillis(60_000));
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
        assertThat(join).isCompletedWithValueMatching(ShardLeaderTest::isNotCoordinator);
        assertThat(bench.records("g")).hasOnlyElementsOfType(CommonRecord.ClaimSet.class);

        bench.lead();
        bench.run(CoordinatorConfig.defaults("test").emptyGroupReleaseMillis() + 1_000);

        assertThat(bench.records("g")).isEmpty();
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

    private static void deletedGroup(ShardBench bench, String groupId) {
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
