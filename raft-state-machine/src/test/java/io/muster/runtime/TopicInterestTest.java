package io.muster.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TopicInterestTest {
    private final TopicInterest interest = new TopicInterest();

    @Test
    void interest_ofSeveralGroups_lastsUntilNoneHasIt() {
        assertThat(interest.set("a", names("t", "u"))).isTrue();
        assertThat(interest.set("b", names("t"))).isFalse();

        assertThat(interest.set("a", names())).isTrue();
        assertThat(interest.topics()).containsExactly("t");
        assertThat(interest.groupsInterestedIn("t")).containsExactly("b");
        assertThat(interest.set("b", names())).isTrue();
        assertThat(interest.topics()).isEmpty();
    }

    @Test
    void interest_addedWhileADecisionIsOnItsWay_takesNothingAway() {
        interest.set("a", names("t"));

        assertThat(interest.add("a", names("u"))).isTrue();
        assertThat(interest.topics()).containsExactly("t", "u");
        assertThat(interest.add("a", names())).isFalse();
        assertThat(interest.topics()).containsExactly("t", "u");
    }

    private static SortedSet<String> names(String... names) {
        return new TreeSet<>(Arrays.asList(names));
    }
}
