package io.muster.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.raft.JoinDecision.Copy;
import io.muster.raft.JoinDecision.Found;
import io.muster.raft.JoinDecision.GoOn;
import io.muster.raft.JoinDecision.Wait;
import io.muster.raft.Standing.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class JoinDecisionTest {
    private static final Set<String> OTHERS = Set.of("a", "b");

    @Test
    void aNodeWithoutOthers_founds() {
        assertThat(JoinDecision.of(Set.of(), Map.of())).isEqualTo(new Found(0));
    }

    @Test
    void allEmpty_found_withoutAVoteInATermThatOneOfThemHasSeen() {
        assertThat(JoinDecision.of(OTHERS, Map.of("a", new Standing(Kind.FOLLOWS, 3, -1), "b", Standing.NOTHING)))
                .isEqualTo(new Found(3));
    }

    @Test
    void aSilentMember_isWaitedFor_whateverTheOthersSay() {
        assertThat(JoinDecision.of(OTHERS, Map.of("a", Standing.NOTHING))).isEqualTo(new Wait("no answer of b"));
        assertThat(JoinDecision.of(OTHERS, Map.of("a", leader(4, 9)))).isEqualTo(new Wait("no answer of b"));
    }

    @Test
    void aLeaderOfTheHighestTerm_isCopied() {
        assertThat(JoinDecision.of(OTHERS, Map.of("a", leader(4, 9), "b", follower(4, 7))))
                .isEqualTo(new Copy("a", 9, 4));
    }

    @Test
    void aLeaderThatAnotherMemberIsBeyond_isNot_asThisNodeMayHaveVotedForThatOne() {
        assertThat(JoinDecision.of(OTHERS, Map.of("a", leader(4, 9), "b", follower(5, 7))))
                .isInstanceOf(Wait.class);
    }

    @Test
    void entriesWithoutALeader_areWaitedFor_andNothingIsFoundedBeside() {
        assertThat(JoinDecision.of(OTHERS, Map.of("a", follower(4, 0), "b", Standing.NOTHING)))
                .isInstanceOf(Wait.class);
    }

    @Test
    void aMemberThatPutItsDataAside_isNotEmpty() {
        assertThat(JoinDecision.of(OTHERS, Map.of("a", Standing.NOTHING, "b", Standing.LOST)))
                .isInstanceOf(Wait.class);
    }

    @Test
    void aMemberThatHasLostItsVote_isWaitedFor_asThisNodeMayHaveVotedForIt() {
        assertThat(JoinDecision.of(OTHERS, Map.of("a", leader(4, 9), "b", voteLost(3, 7))))
                .isInstanceOf(Wait.class);
    }

    @Test
    void aLostVote_isGoneInTheHighestTermThatAnybodyNames() {
        assertThat(JoinDecision.ofLostVote(4, OTHERS, Map.of("a", leader(3, 9), "b", follower(6, 7))))
                .isEqualTo(new GoOn(6));
        assertThat(JoinDecision.ofLostVote(7, OTHERS, Map.of("a", leader(3, 9), "b", follower(6, 7))))
                .isEqualTo(new GoOn(7));
        assertThat(JoinDecision.ofLostVote(4, OTHERS, Map.of("a", leader(4, 9))))
                .isEqualTo(new Wait("no answer of b"));
        assertThat(JoinDecision.ofLostVote(4, Set.of(), Map.of())).isEqualTo(new GoOn(4));
    }

    @Test
    void aLostVote_whileAnotherHasForgottenItsOwn_isGoneInEveryTermThatCanHaveBeen() {
        for (Standing other : List.of(voteLost(3, 7), Standing.NOTHING, Standing.LOST)) {
            assertThat(JoinDecision.ofLostVote(4, OTHERS, Map.of("a", other, "b", follower(6, 7))))
                    .isEqualTo(new GoOn(6 + JoinDecision.FORGOTTEN_TERMS));
        }
    }

    private static Standing voteLost(long term, long lastIndex) {
        return new Standing(Kind.VOTE_LOST, term, lastIndex);
    }

    private static Standing leader(long term, long lastIndex) {
        return new Standing(Kind.LEADS, term, lastIndex);
    }

    private static Standing follower(long term, long lastIndex) {
        return new Standing(Kind.FOLLOWS, term, lastIndex);
    }
}
