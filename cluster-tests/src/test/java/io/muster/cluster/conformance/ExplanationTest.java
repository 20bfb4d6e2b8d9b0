package io.muster.cluster.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.cluster.conformance.Explanation.Sequel;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which differences count as known, and which do not. */
class ExplanationTest {
    private static final String TWO_JOINS = "[Item[action=JOIN, member=0], Item[action=JOIN, member=2]]";
    private static final String ONE_JOIN = "[Item[action=JOIN, member=0], Item[action=LEAVE, member=2]]";

    @Test
    void joinsDecidedTogether_inAGroupWithTheSameEpoch_areExplained_andTheSequenceGoesOn() {
        RandomReply kafka = reply(TWO_JOINS, 3, 4, 4);
        RandomReply muster = reply(TWO_JOINS, 4, 4, 4);

        assertThat(Explanation.of(kafka, muster)).contains(Explanation.JOINS_DECIDED_TOGETHER);
        assertThat(Explanation.JOINS_DECIDED_TOGETHER.sequel(kafka, muster)).isEqualTo(Sequel.REALIGN);
    }

    @Test
    void joinsDecidedTogether_thatRaiseTheGroupsEpochOnce_areExplained_andEndTheSequence() {
        RandomReply kafka = reply(TWO_JOINS, 3, 4, 4);
        RandomReply muster = reply(TWO_JOINS, 3, 3, 3);

        assertThat(Explanation.of(kafka, muster)).contains(Explanation.JOINS_DECIDED_TOGETHER);
        assertThat(Explanation.JOINS_DECIDED_TOGETHER.sequel(kafka, muster)).isEqualTo(Sequel.END);
    }

    @Test
    void otherEpochs_withoutTwoJoins_areNotExplained() {
        assertThat(Explanation.of(reply(ONE_JOIN, 3, 4, 4), reply(ONE_JOIN, 4, 4, 4)))
                .isEmpty();
    }

    @Test
    void otherErrors_areNotExplainedByJoins() {
        RandomReply kafka = reply(TWO_JOINS, 3, 4, 4);
        RandomReply muster = reply(TWO_JOINS, 4, 4, 4);
        RandomReply refused =
                new RandomReply(new Words("[UNKNOWN_MEMBER_ID]", muster.words().rest()), muster.picture());

        assertThat(Explanation.of(kafka, refused)).isEmpty();
    }

    @Test
    void commitOfWhatOthersHave_byAMemberBehind_isExplained_andEndsTheSequence() {
        RandomReply kafka = commits(4, "[OffsetCommit[NONE], OffsetCommit[NONE]]");
        RandomReply muster = commits(4, "[OffsetCommit[STALE_MEMBER_EPOCH], OffsetCommit[NONE]]");

        assertThat(Explanation.of(kafka, muster)).contains(Explanation.COMMIT_OF_WHAT_OTHERS_HAVE_REFUSED);
        assertThat(Explanation.COMMIT_OF_WHAT_OTHERS_HAVE_REFUSED.sequel(kafka, muster))
                .isEqualTo(Sequel.END);
    }

    @Test
    void staleCommit_isNotExplained_whereNobodyIsBehind_orMusterIsTheOneThatTakesIt_orMoreDiffers() {
        String taken = "[OffsetCommit[NONE], OffsetFetch[NONE]]";
        String refused = "[OffsetCommit[STALE_MEMBER_EPOCH], OffsetFetch[NONE]]";
        String more = "[OffsetCommit[STALE_MEMBER_EPOCH], OffsetFetch[STALE_MEMBER_EPOCH]]";

        assertThat(Explanation.of(commits(5, taken), commits(5, refused))).isEmpty();
        assertThat(Explanation.of(commits(4, refused), commits(4, taken))).isEmpty();
        assertThat(Explanation.of(commits(4, taken), commits(4, more))).isEmpty();
    }

    @Test
    void moreEvenShares_areExplained_alsoWhileNoTargetWasMadeWithoutAMemberThatLeft() {
        RandomReply kafka = shared("Assigning", List.of(3, 3), 1);
        RandomReply muster = shared("Assigning", List.of(2, 3), 2);

        assertThat(Explanation.of(kafka, muster)).contains(Explanation.TASKS_SHARED_MORE_EVENLY);
        assertThat(Explanation.of(muster, kafka)).isEmpty();
    }

    @Test
    void tasksThatNobodyShallHave_areNotExplained_onceThereIsATarget() {
        assertThat(Explanation.of(shared("Stable", List.of(3, 3), 1), shared("Stable", List.of(2, 3), 2)))
                .isEmpty();
    }

    /** @param nobodys how many tasks a member has still that nobody shall have */
    private static RandomReply shared(String state, List<Integer> shares, int nobodys) {
        SortedMap<String, Integer> moves = new TreeMap<>();
        moves.put("0: m1 to nobody", nobodys);
        moves.put("standbyTasks for m1", 0);
        GroupPicture picture =
                new GroupPicture("the same", state, new TreeMap<>(), false, true, shares, moves, List.of());
        return new RandomReply(new Words("[NONE]", "[]"), picture);
    }

    /** Answers in a group at epoch 5. */
    private static RandomReply commits(int memberEpoch, String errors) {
        RandomReply reply = reply("[]", memberEpoch, 5, 5);
        return new RandomReply(new Words(errors, reply.words().rest()), reply.picture());
    }

    private static RandomReply reply(String items, int first, int second, int group) {
        SortedMap<String, Integer> epochs = new TreeMap<>();
        epochs.put("m0", first);
        epochs.put("m2", second);
        Words words = new Words("[NONE, NONE]", items + " [epoch " + first + ", epoch " + second + "], {}{}");
        String facts = "error 0, group epoch " + group + ", assignment epoch " + group + ", uniform";
        return new RandomReply(
                words,
                new GroupPicture(facts, "Stable", epochs, false, true, List.of(1, 1), new TreeMap<>(), List.of()));
    }
}
