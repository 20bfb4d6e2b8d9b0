package io.muster.core.streams;

import static io.muster.core.streams.TopologyNotation.subtopology;
import static io.muster.core.streams.TopologyNotation.topology;
import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClientInfo;
import io.muster.core.CommitCommand;
import io.muster.core.CommitCommand.Admit;
import io.muster.core.CommitCommand.AdmitFetch;
import io.muster.core.CommitCommand.Kind;
import io.muster.core.CommitCommand.TopicPartition;
import io.muster.core.GroupError;
import io.muster.core.MemberProfile;
import io.muster.core.Partitions;
import io.muster.core.StreamsGroupRecord.CurrentSet;
import io.muster.core.StreamsGroupRecord.GroupSet;
import io.muster.core.StreamsGroupRecord.MemberSet;
import io.muster.core.TaskAssignment;
import io.muster.core.group.CommitJudgement;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StreamsCommitJudgementTest {
    /** Member m at epoch 5 after 4; it runs task 0 of the subtopology that reads foo. */
    private static final StreamsGroup GROUP = at(5).withTopologies(
                    Topologies.NONE.with(topology(0, subtopology("0", "foo"), subtopology("1", "bar"))))
            .withMembers(StreamsMembers.NONE
                    .with(new MemberSet(
                            new MemberProfile.Details("m", null, null, new ClientInfo("", ""), 1),
                            0,
                            "p",
                            null,
                            new TreeMap<>()))
                    .with(new CurrentSet(
                            "m",
                            5,
                            4,
                            new TaskAssignment(Partitions.of("0", 0), Partitions.none(), Partitions.none()),
                            TaskAssignment.EMPTY)));

    @Test
    void judge_withCurrentEpoch_admitsAnyPartition() {
        assertThat(judge("m", 5, Kind.PLAIN, 9, "other")).isEmpty();
    }

    @Test
    void judge_withCurrentEpoch_ofAMemberOnItsWayToTheTarget_admitsWhatItHas() {
        StreamsGroup behind = GROUP.withStatus(at(6).status());

        assertThat(StreamsCommitJudgement.judge(behind, commit("m", 5, Kind.PLAIN, 9, "foo")))
                .isEmpty();
        assertThat(StreamsCommitJudgement.judge(behind, commit("m", 5, Kind.PLAIN, 9, "bar")))
                .contains(GroupError.STALE_MEMBER_EPOCH);
    }

    @Test
    void judge_withOtherEpoch_isStale() {
        assertThat(judge("m", 6, Kind.PLAIN, 9, "foo")).contains(GroupError.STALE_MEMBER_EPOCH);
        assertThat(judge("m", 3, Kind.PLAIN, 9, "foo")).contains(GroupError.STALE_MEMBER_EPOCH);
    }

    @Test
    void judge_withTheEpochBefore_admitsWhatTheMemberHolds() {
        assertThat(judge("m", 4, Kind.PLAIN, 9, "foo")).isEmpty();
        assertThat(judge("m", 4, Kind.PLAIN, 9, "bar")).contains(GroupError.STALE_MEMBER_EPOCH);
    }

    @Test
    void judge_transactional_saysIllegalGenerationBelowVersionSix() {
        assertThat(judge("m", 6, Kind.TRANSACTIONAL, 4, "foo")).contains(GroupError.ILLEGAL_GENERATION);
        assertThat(judge("m", 6, Kind.TRANSACTIONAL, 6, "foo")).contains(GroupError.STALE_MEMBER_EPOCH);
    }

    @Test
    void judge_withoutMember_isUnknownUnlessTransactionalOrEmpty() {
        assertThat(judge("", -1, Kind.PLAIN, 9, "foo")).contains(GroupError.UNKNOWN_MEMBER_ID);
        assertThat(judge("", -1, Kind.TRANSACTIONAL, 4, "foo")).isEmpty();
        assertThat(StreamsCommitJudgement.judge(StreamsGroup.NEW, commit("", -1, Kind.PLAIN, 9, "foo")))
                .isEmpty();
    }

    @Test
    void judge_ofOldVersion_isUnsupportedForMembersOnly() {
        assertThat(judge("m", 5, Kind.PLAIN, 8, "foo")).contains(GroupError.UNSUPPORTED_VERSION);
        assertThat(judge("n", 5, Kind.PLAIN, 8, "foo")).contains(GroupError.UNKNOWN_MEMBER_ID);
    }

    @Test
    void judgeFetch_followsTheMemberEpoch() {
        assertThat(fetch("m", 5)).isEmpty();
        assertThat(fetch("m", 4)).contains(GroupError.STALE_MEMBER_EPOCH);
        assertThat(fetch("n", 5)).contains(GroupError.UNKNOWN_MEMBER_ID);
        assertThat(fetch("", -1)).isEmpty();
    }

    private static StreamsGroup at(int epoch) {
        return StreamsGroup.NEW.withStatus(new GroupSet(epoch, epoch, 0, -1, -1, 0, new TreeMap<>(), ""));
    }

    private static Optional<GroupError> judge(String memberId, int epoch, Kind kind, int version, String topic) {
        return StreamsCommitJudgement.judge(GROUP, commit(memberId, epoch, kind, version, topic));
    }

    private static Admit commit(String memberId, int epoch, Kind kind, int version, String topic) {
        return new Admit(
                "g",
                "a",
                CommitCommand.Connection.justOpened("connection"),
                new CommitCommand.Committer(memberId, "", epoch),
                kind,
                version,
                Set.of(new TopicPartition(topic, 0)));
    }

    private static Optional<GroupError> fetch(String memberId, int epoch) {
        return CommitJudgement.judge(GROUP, new AdmitFetch("g", memberId, epoch));
    }
}
