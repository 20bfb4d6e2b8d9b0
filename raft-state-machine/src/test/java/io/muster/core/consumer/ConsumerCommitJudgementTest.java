package io.muster.core.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClientInfo;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.Admit;
import io.muster.core.CommitCommand.AdmitFetch;
import io.muster.core.CommitCommand.Kind;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.ConsumerGroupRecord.CurrentSet;
import io.muster.core.ConsumerGroupRecord.GroupSet;
import io.muster.core.ConsumerGroupRecord.MemberSet;
import io.muster.core.Group;
import io.muster.core.GroupError;
import io.muster.core.GroupStory;
import io.muster.core.MemberProfile;
import io.muster.core.Partitions;
import io.muster.core.TopicInfo;
import io.muster.core.group.CommitJudgement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ConsumerCommitJudgementTest {
    private static final UUID FOO = GroupStory.idOf("foo");

    /** Member m at epoch 7; it has had partition 0 since epoch 3, and partition 1 since epoch 6. */
    private static final Group GROUP = Group.absent("g")
            .withTopicBasis(new TreeMap<>(Map.of("foo", new TopicInfo("foo", FOO, 3))))
            .withTyped(ConsumerGroup.NEW
                    .withStatus(new GroupSet(7, 7, 0))
                    .withMembers(ConsumerMembers.NONE
                            .with(new MemberSet(
                                    new MemberProfile.Details("m", null, null, new ClientInfo("", ""), 1),
                                    List.of("foo"),
                                    "",
                                    null))
                            .with(new CurrentSet(
                                    "m",
                                    7,
                                    6,
                                    Partitions.of(FOO, 0),
                                    Partitions.of(FOO, 1),
                                    new TreeMap<>(Map.of(3, Partitions.of(FOO, 0), 6, Partitions.of(FOO, 1)))))));

    @Test
    void judge_withCurrentEpoch_admitsAnyPartition() {
        assertThat(judge("m", 7, Kind.PLAIN, 9, 2)).isEmpty();
    }

    @Test
    void judge_withCurrentEpoch_ofAMemberOnItsWayToTheTarget_admitsWhatItHas() {
        Group behind = GROUP.withTyped(ConsumerGroup.of(GROUP).withStatus(new GroupSet(8, 8, 0)));

        assertThat(ConsumerCommitJudgement.judge(behind, commit("m", 7, Kind.PLAIN, 9, 0)))
                .isEmpty();
        assertThat(ConsumerCommitJudgement.judge(behind, commit("m", 7, Kind.PLAIN, 9, 1)))
                .isEmpty();
        assertThat(ConsumerCommitJudgement.judge(behind, commit("m", 7, Kind.PLAIN, 9, 2)))
                .contains(GroupError.STALE_MEMBER_EPOCH);
    }

    @Test
    void judge_withCurrentEpoch_ofAMemberOnItsWayToTheTarget_admitsWhatNobodyReads() {
        Group behind = GROUP.withTyped(ConsumerGroup.of(GROUP).withStatus(new GroupSet(8, 8, 0)));
        Admit unread = new Admit(
                "g",
                "a",
                CommitCommand.Connection.justOpened("connection"),
                new CommitCommand.Committer("m", "", 7),
                Kind.PLAIN,
                9,
                Set.of(new TopicPartition("bar", 0)));

        assertThat(ConsumerCommitJudgement.judge(behind, unread)).isEmpty();
    }

    @Test
    void judge_withOlderEpoch_admitsWhatTheMemberHasHadSince() {
        assertThat(judge("m", 3, Kind.PLAIN, 9, 0)).isEmpty();
        assertThat(judge("m", 6, Kind.PLAIN, 9, 1)).isEmpty();
        assertThat(judge("m", 5, Kind.PLAIN, 9, 1)).contains(GroupError.STALE_MEMBER_EPOCH);
        assertThat(judge("m", 2, Kind.PLAIN, 9, 0)).contains(GroupError.STALE_MEMBER_EPOCH);
        assertThat(judge("m", 6, Kind.PLAIN, 9, 2)).contains(GroupError.STALE_MEMBER_EPOCH);
    }

    @Test
    void judge_withNewerEpoch_isStale() {
        assertThat(judge("m", 8, Kind.PLAIN, 9, 0)).contains(GroupError.STALE_MEMBER_EPOCH);
    }

    @Test
    void judge_transactional_saysIllegalGenerationBelowVersionSix() {
        assertThat(judge("m", 8, Kind.TRANSACTIONAL, 4, 0)).contains(GroupError.ILLEGAL_GENERATION);
        assertThat(judge("m", 8, Kind.TRANSACTIONAL, 6, 0)).contains(GroupError.STALE_MEMBER_EPOCH);
    }

    @Test
    void judge_withoutMember_isUnknownUnlessTransactionalOrEmpty() {
        assertThat(judge("", -1, Kind.PLAIN, 9, 0)).contains(GroupError.UNKNOWN_MEMBER_ID);
        assertThat(judge("", -1, Kind.TRANSACTIONAL, 4, 0)).isEmpty();
        assertThat(ConsumerCommitJudgement.judge(
                        Group.absent("g").withTyped(ConsumerGroup.NEW), commit("", -1, Kind.PLAIN, 9, 0)))
                .isEmpty();
    }

    @Test
    void judge_ofOldVersion_isUnsupportedForMembersOnly() {
        assertThat(judge("m", 7, Kind.PLAIN, 8, 0)).contains(GroupError.UNSUPPORTED_VERSION);
        assertThat(judge("n", 7, Kind.PLAIN, 8, 0)).contains(GroupError.UNKNOWN_MEMBER_ID);
    }

    @Test
    void judgeFetch_followsTheMemberEpoch() {
        assertThat(fetch("m", 7)).isEmpty();
        assertThat(fetch("m", 6)).contains(GroupError.STALE_MEMBER_EPOCH);
        assertThat(fetch("n", 7)).contains(GroupError.UNKNOWN_MEMBER_ID);
        assertThat(fetch("", -1)).isEmpty();
    }

    private static Optional<GroupError> judge(String memberId, int epoch, Kind kind, int version, int partition) {
        return ConsumerCommitJudgement.judge(GROUP, commit(memberId, epoch, kind, version, partition));
    }

    private static Admit commit(String memberId, int epoch, Kind kind, int version, int partition) {
        return new Admit(
                "g",
                "a",
                CommitCommand.Connection.justOpened("connection"),
                new CommitCommand.Committer(memberId, "", epoch),
                kind,
                version,
                Set.of(new TopicPartition("foo", partition)));
    }

    private static Optional<GroupError> fetch(String memberId, int epoch) {
        return CommitJudgement.judge(GROUP.typed(), new AdmitFetch("g", memberId, epoch));
    }
}
