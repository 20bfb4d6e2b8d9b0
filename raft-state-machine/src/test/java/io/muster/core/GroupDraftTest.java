package io.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class GroupDraftTest {
    private static final List<Arrival> ARRIVALS = List.of(arrival("a"), arrival("b"));

    private final GroupDraft draft = new GroupDraft(
            Group.absent("g"),
            new DecisionContext(0, TopicCatalogue.EMPTY, CoordinatorConfig.defaults("test"), LeaderMemory.UNKNOWN),
            (group, record) -> group);

    @Test
    void decision_withEachArrivalAnsweredOrKept_holdsBoth() {
        // Given
        draft.reply(0, new Response.Done());
        draft.await(1);

        // When
        Decision decision = draft.decision(ARRIVALS);

        // Then
        assertThat(decision.replies()).containsExactly(new Decision.Reply(0, new Response.Done()));
        assertThat(decision.waiting()).containsExactly(1);
    }

    @Test
    void decision_withAnArrivalThatIsNeitherAnsweredNorKept_fails() {
        draft.reply(0, new Response.Done());

        assertThatThrownBy(() -> draft.decision(ARRIVALS)).hasMessageContaining("neither answered nor kept");
    }

    @Test
    void decision_withAnArrivalThatIsBothAnsweredAndKept_fails() {
        draft.reply(0, new Response.Done());
        draft.reply(1, new Response.Done());
        draft.await(1);

        assertThatThrownBy(() -> draft.decision(ARRIVALS)).hasMessageContaining("both answered and kept");
    }

    @Test
    void reply_toAnArrivalThatIsAnswered_fails() {
        draft.reply(0, new Response.Done());

        assertThatThrownBy(() -> draft.reply(0, new Response.Done())).hasMessageContaining("answered twice");
    }

    private static Arrival arrival(String memberId) {
        return new Arrival(new GroupCommand.ShortenSession("g", memberId), 0, "fresh", true);
    }
}
