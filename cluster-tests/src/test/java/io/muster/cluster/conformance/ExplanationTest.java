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
