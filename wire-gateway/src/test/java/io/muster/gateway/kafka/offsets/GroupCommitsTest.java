package io.muster.gateway.kafka.offsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand;
import io.muster.core.GroupError;
import io.muster.gateway.kafka.order.VirtualThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GroupCommitsTest {
    private static final ClaimIdentity OLD = new ClaimIdentity("old", 1);
    private static final ClaimIdentity NEW = new ClaimIdentity("new", 1);
    private static final Duration PATIENCE = Duration.ofSeconds(25);

    private final ScriptedCoordinator coordinator = new ScriptedCoordinator();
    private final UpstreamGroup upstream = new UpstreamGroup();
    private final List<CompletableFuture<OffsetCommitResponseData>> answers = new ArrayList<>();
    private int ids;
    private final VirtualThread thread = new VirtualThread();
    private final GroupCommits commits = new GroupCommits(
            new PatientCoordinator(coordinator, thread),
            upstream,
            () -> "c" + ids++,
            new GroupCommits.Connection("connection", thread.nanoTime(), List.of()));

    @Test
    void commit_isSentUnderTheClaimAndSettled() {
        // Given
        upstream.claimedAs(OLD);
        CompletableFuture<OffsetCommitResponseData> answer = commit(1);

        // When
        coordinator.admitAll(OLD);
        upstream.answerAll();

        // Then
        assertThat(upstream.stored).containsExactly(1L);
        assertThat(errorOf(answer)).isEqualTo(Errors.NONE);
        assertThat(coordinator.settled).containsExactly(new CommitCommand.Settled("g", "c0", false));
    }

    @Test
    void commit_byAConnectionThatTheMemberHasLeft_getsNoAnswer_soThatTheConnectionEnds() {
        // Given
        CompletableFuture<OffsetCommitResponseData> answer = commit(1);

        // When
        coordinator.refuseOne(GroupError.CONNECTION_SUPERSEDED, true);

        // Then
        assertThat(answer).isCompletedExceptionally();
        assertThat(upstream.unanswered()).isZero();
    }

    @Test
    void commits_admittedOutOfOrder_areSentInOrder() {
        // Given
        upstream.claimedAs(OLD);
        send(1);
        send(2);

        // When
        coordinator.admitLast(OLD);
        assertThat(upstream.unanswered()).isZero();
        coordinator.admitAll(OLD);
        upstream.answerAll();

        // Then
        assertThat(upstream.stored).containsExactly(1L, 2L);
    }

    @Test
    void commits_overtakenByAFence_areAdmittedAgainAndStoredInOrder() {
        // Given
        upstream.claimedAs(OLD);
        List<CompletableFuture<OffsetCommitResponseData>> answers = List.of(commit(1), commit(2), commit(3));
        coordinator.admitAll(OLD);
        upstream.answerOne();
        upstream.claimedAs(NEW);

        // When
        upstream.answerAll();
        assertThat(coordinator.unanswered()).isEqualTo(2);
        coordinator.admitLast(NEW);
        assertThat(upstream.unanswered()).isZero();
        coordinator.admitAll(NEW);
        upstream.answerAll();

        // Then
        assertThat(upstream.stored).containsExactly(1L, 2L, 3L);
        assertThat(answers).allSatisfy(answer -> assertThat(errorOf(answer)).isEqualTo(Errors.NONE));
    }

    @Test
    void commit_thatAFenceOvertook_whileItsGatewayStoodStill_isJudgedByTheCoordinator() {
        // Given
        upstream.claimedAs(OLD);
        CompletableFuture<OffsetCommitResponseData> answer = commit(1);
        coordinator.admitAll(OLD);
        upstream.claimedAs(NEW);

        // When
        thread.advance(PATIENCE.plusSeconds(10));
        upstream.answerAll();
        coordinator.refuseOne(GroupError.UNKNOWN_MEMBER_ID, true);
        upstream.answerAll();

        // Then
        assertThat(errorOf(answer)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(upstream.stored).isEmpty();
    }

    @Test
    void commit_underANewIdentity_waitsForThoseOfTheOldOne() {
        // Given
        upstream.claimedAs(OLD);
        send(1);
        send(2);
        coordinator.admitOne(OLD);

        // When
        coordinator.admitOne(NEW);

        // Then
        assertThat(upstream.unanswered()).isEqualTo(1);
        upstream.answerOne();
        upstream.claimedAs(NEW);
        upstream.answerAll();
        assertThat(upstream.stored).containsExactly(1L, 2L);
    }

    @Test
    void commit_ofAMemberRemovedMeanwhile_isAnsweredInItsOwnProtocol() {
        // Given
        upstream.claimedAs(OLD);
        CompletableFuture<OffsetCommitResponseData> answer = commit(1);
        coordinator.admitAll(OLD);
        upstream.claimedAs(NEW);
        upstream.answerAll();

        // When
        coordinator.refuseOne(GroupError.STALE_MEMBER_EPOCH, true);
        upstream.answerAll();

        // Then
        assertThat(errorOf(answer)).isEqualTo(Errors.STALE_MEMBER_EPOCH);
        assertThat(upstream.stored).isEmpty();
        assertThat(coordinator.settled).containsExactly(new CommitCommand.Settled("g", "c0", true));
    }

    @Test
    void commit_refusedAndNotAllowedEither_isAnsweredByUpstream() {
        // Given
        upstream.claimedAs(OLD);
        upstream.refuses(0, Errors.GROUP_AUTHORIZATION_FAILED);
        CompletableFuture<OffsetCommitResponseData> answer = commit(1);

        // When
        coordinator.refuseOne(GroupError.UNKNOWN_MEMBER_ID, true);
        upstream.answerAll();

        // Then
        assertThat(errorOf(answer)).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED);
        assertThat(upstream.stored).isEmpty();
    }

    @Test
    void commit_ofAnOldEpochAndAPartitionThatIsNotThere_isJudgedByTheOthers() {
        // Given
        upstream.claimedAs(OLD);
        upstream.refuses(9, Errors.UNKNOWN_TOPIC_OR_PARTITION);
        OffsetCommitRequestData request = request(1);
        request.topics().get(0).setPartitions(List.of(partition(0, 1), partition(9, 1)));
        CompletableFuture<OffsetCommitResponseData> answer = submit(plain(request, 9));
        send(2);

        // When
        coordinator.refuseOne(GroupError.STALE_MEMBER_EPOCH, true);
        coordinator.admitOne(OLD);
        upstream.answerAll();
        assertThat(coordinator.partitionsOfLast()).containsExactly(new CommitCommand.TopicPartition("t", 0));
        coordinator.admitAll(OLD);
        upstream.answerAll();

        // Then
        assertThat(answer.join().topics().get(0).partitions())
                .extracting(each -> Errors.forCode(each.errorCode()))
                .containsExactly(Errors.NONE, Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(upstream.stored).containsExactly(1L, 2L);
    }

    @Test
    void commit_byTopicIdsToAnUpstreamOfNames_isToldNamesAndAnsweredInIds() {
        // Given
        Uuid id = Uuid.randomUuid();
        Uuid gone = Uuid.randomUuid();
        upstream.claimedAs(OLD);
        OffsetCommitRequestData request = request(1);
        request.topics().get(0).setName("").setTopicId(id);
        request.setTopics(List.of(
                request.topics().get(0),
                new OffsetCommitRequestTopic().setTopicId(gone).setPartitions(List.of(partition(0, 5)))));
        CompletableFuture<OffsetCommitResponseData> answer =
                submit(new Commit(new PlainMessages(request, (short) 10, (short) 9), Map.of(id, "t")));

        // When
        coordinator.admitAll(OLD);
        upstream.answerAll();

        // Then
        assertThat(upstream.versions).containsExactly((short) 9);
        assertThat(upstream.stored).containsExactly(1L);
        assertThat(answer.join().topics())
                .extracting(
                        topic -> topic.topicId(),
                        topic -> Errors.forCode(topic.partitions().get(0).errorCode()))
                .containsExactly(tuple(id, Errors.NONE));
    }

    @Test
    void commit_thatUpstreamKeepsRefusing_isToldToTryAgain() {
        // Given
        upstream.claimedAs(NEW);
        CompletableFuture<OffsetCommitResponseData> answer = commit(1);

        // When
        int tries = 0;
        while (!answer.isDone()) {
            tries += coordinator.unanswered();
            coordinator.admitAll(OLD);
            upstream.answerAll();
            thread.advance(Duration.ofMillis(10));
        }

        // Then
        assertThat(errorOf(answer)).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(thread.nanoTime())
                .isBetween(PATIENCE.toNanos(), PATIENCE.plusSeconds(2).toNanos());
        assertThat(tries).isLessThan(50);
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_COORDINATOR", "COORDINATOR_NOT_AVAILABLE", "COORDINATOR_LOAD_IN_PROGRESS"})
    void commit_refusedForAReasonThatPasses_isTriedAgainUnderTheSameAdmission(GroupError error) {
        // Given
        upstream.claimedAs(OLD);
        CompletableFuture<OffsetCommitResponseData> answer = commit(1);

        // When
        for (int refusals = 0; refusals < 10; refusals++) {
            coordinator.refuse(error);
            thread.advance(Duration.ofSeconds(2));
        }
        coordinator.admitAll(OLD);
        upstream.answerAll();

        // Then
        assertThat(errorOf(answer)).isEqualTo(Errors.NONE);
        assertThat(upstream.stored).containsExactly(1L);
        assertThat(coordinator.admissions).hasSize(11).containsOnly("c0");
        assertThat(coordinator.settled).containsExactly(new CommitCommand.Settled("g", "c0", false));
    }

    @Test
    void commit_ofAGroupThatIsBeingClaimed_waitsForTheClaim() {
        // Given
        CompletableFuture<OffsetCommitResponseData> answer = commit(1);

        // When
        coordinator.refuseOne(GroupError.COORDINATOR_NOT_AVAILABLE, true);
        thread.advance(Duration.ofSeconds(1));
        upstream.claimedAs(OLD);
        coordinator.admitAll(OLD);
        upstream.answerAll();

        // Then
        assertThat(errorOf(answer)).isEqualTo(Errors.NONE);
    }

    @Test
    void commit_refusedForAsLongAsTheClientWaits_isRefusedAndSettled() {
        // Given
        CompletableFuture<OffsetCommitResponseData> answer = commit(1);

        // When
        while (!answer.isDone()) {
            if (coordinator.unanswered() > 0) {
                coordinator.refuse(GroupError.NOT_COORDINATOR);
            }
            thread.advance(Duration.ofMillis(10));
        }

        // Then
        assertThat(errorOf(answer)).isEqualTo(Errors.NOT_COORDINATOR);
        assertThat(thread.nanoTime()).isBetween(PATIENCE.minusSeconds(2).toNanos(), PATIENCE.toNanos());
        assertThat(coordinator.admissions).hasSizeLessThan(50);
        assertThat(coordinator.settled).containsExactly(new CommitCommand.Settled("g", "c0", false));
        assertThat(thread.scheduled()).isZero();
    }

    @Test
    void eachTry_saysHowOldTheConnectionIsByThen() {
        // Given
        thread.advance(Duration.ofSeconds(3));
        send(1);

        // When
        coordinator.refuse(GroupError.NOT_COORDINATOR);
        thread.advance(Duration.ofSeconds(5));

        // Then
        assertThat(coordinator.agesMillis).hasSize(2);
        assertThat(coordinator.agesMillis.get(0)).isEqualTo(3_000);
        assertThat(coordinator.agesMillis.get(1)).isGreaterThan(3_000);
    }

    @Test
    void commit_whoseTurnComesLate_isTriedNoLongerThanUntilItsDeadline() {
        // Given
        long deadlineNanos = deadlineNanos();
        thread.advance(PATIENCE.minusSeconds(5));
        CompletableFuture<OffsetCommitResponseData> answer =
                commits.submit(CompletableFuture.completedFuture(plain(request(1), 9)), deadlineNanos, true);

        // When
        while (!answer.isDone()) {
            if (coordinator.unanswered() > 0) {
                coordinator.refuse(GroupError.NOT_COORDINATOR);
            }
            thread.advance(Duration.ofMillis(10));
        }

        // Then
        assertThat(errorOf(answer)).isEqualTo(Errors.NOT_COORDINATOR);
        assertThat(thread.nanoTime())
                .isBetween(deadlineNanos - PATIENCE.dividedBy(10).toNanos(), deadlineNanos);
    }

    @Test
    void commits_behindOneThatIsTriedAgain_keepTheirOrder() {
        // Given
        upstream.claimedAs(OLD);
        send(1);
        send(2);

        // When
        coordinator.refuse(GroupError.NOT_COORDINATOR);
        coordinator.admitAll(OLD);
        assertThat(upstream.unanswered()).isZero();
        thread.advance(Duration.ofSeconds(1));
        coordinator.admitAll(OLD);
        upstream.answerAll();

        // Then
        assertThat(upstream.stored).containsExactly(1L, 2L);
    }

    @Test
    void commit_whoseTopicsHaveNoNamesYet_keepsItsPlace() {
        // Given
        upstream.claimedAs(OLD);
        CompletableFuture<Commit> named = new CompletableFuture<>();
        answers.add(commits.submit(named, deadlineNanos(), true));
        send(2);
        coordinator.admitAll(OLD);
        assertThat(upstream.unanswered()).isZero();

        // When
        named.complete(plain(request(1), 9));
        coordinator.admitAll(OLD);
        upstream.answerAll();

        // Then
        assertThat(upstream.stored).containsExactly(1L, 2L);
    }

    @Test
    void commit_whoseTopicsCannotBeNamed_holdsUpNoOther() {
        // Given
        upstream.claimedAs(OLD);
        CompletableFuture<Commit> named = new CompletableFuture<>();
        CompletableFuture<OffsetCommitResponseData> answer = commits.submit(named, deadlineNanos(), true);
        send(2);

        // When
        named.completeExceptionally(new IllegalStateException("connection broke"));
        coordinator.admitAll(OLD);
        upstream.answerAll();

        // Then
        assertThat(answer).isCompletedExceptionally();
        assertThat(upstream.stored).containsExactly(2L);
    }

    @Test
    void commit_thatNobodyJudges_waitsForThoseBefore() {
        // Given
        send(1);
        answers.add(commits.submit(
                CompletableFuture.completedFuture(plain(request(2).setMemberId(""), 9)), deadlineNanos(), false));
        assertThat(upstream.unanswered()).isZero();

        // When
        coordinator.refuseOne(GroupError.UNKNOWN_MEMBER_ID, false);
        upstream.answerAll();

        // Then
        assertThat(upstream.stored).containsExactly(2L);
        assertThat(coordinator.admissions).containsExactly("c0");
    }

    @Test
    void commit_ofAnUnclaimedGroup_goesAsItCame() {
        // Given
        CompletableFuture<OffsetCommitResponseData> answer =
                submit(plain(request(1).setMemberId(""), 9));

        // When
        coordinator.refuseOne(GroupError.GROUP_ID_NOT_FOUND, false);
        upstream.answerAll();

        // Then
        assertThat(errorOf(answer)).isEqualTo(Errors.NONE);
        assertThat(coordinator.settled).isEmpty();
    }

    @Test
    void commit_onAConnectionThatBroke_staysCounted() {
        // Given
        upstream.claimedAs(OLD);
        CompletableFuture<OffsetCommitResponseData> answer = commit(1);
        coordinator.admitAll(OLD);

        // When
        upstream.breakConnection();

        // Then
        assertThat(answer).isCompletedExceptionally();
        assertThat(coordinator.settled).isEmpty();
    }

    @Test
    void commit_toAnOlderUpstream_goesInItsVersion() {
        // Given
        upstream.knowsUpTo(8);
        upstream.claimedAs(OLD);
        send(1);

        // When
        coordinator.admitAll(OLD);
        upstream.answerAll();

        // Then
        assertThat(upstream.versions).containsExactly((short) 8);
    }

    private CompletableFuture<OffsetCommitResponseData> submit(Commit commit) {
        return commits.submit(CompletableFuture.completedFuture(commit), deadlineNanos(), true);
    }

    private long deadlineNanos() {
        return thread.nanoTime() + PATIENCE.toNanos();
    }

    private void send(long offset) {
        answers.add(commit(offset));
    }

    private CompletableFuture<OffsetCommitResponseData> commit(long offset) {
        return submit(plain(request(offset), 9));
    }

    private Commit plain(OffsetCommitRequestData request, int version) {
        return new Commit(
                new PlainMessages(request, (short) version, upstream.maxVersion(ApiKeys.OFFSET_COMMIT)), Map.of());
    }

    private static OffsetCommitRequestData request(long offset) {
        return new OffsetCommitRequestData()
                .setGroupId("g")
                .setMemberId("a")
                .setGroupInstanceId("i1")
                .setGenerationIdOrMemberEpoch(1)
                .setTopics(List.of(
                        new OffsetCommitRequestTopic().setName("t").setPartitions(List.of(partition(0, offset)))));
    }

    private static OffsetCommitRequestPartition partition(int index, long offset) {
        return new OffsetCommitRequestPartition().setPartitionIndex(index).setCommittedOffset(offset);
    }

    private static Errors errorOf(CompletableFuture<OffsetCommitResponseData> answer) {
        OffsetCommitResponseData response = answer.join();
        return Errors.forCode(response.topics().get(0).partitions().get(0).errorCode());
    }
}
