package io.muster.gateway.kafka.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClientInfo;
import io.muster.core.ConsumerHeartbeat;
import io.muster.core.GroupCommand;
import io.muster.core.GroupError;
import io.muster.core.MemberHeartbeat;
import io.muster.core.MemberHeartbeat.Sender;
import io.muster.core.Response;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.Test;

class LeavesTest {
    private static final long DEADLINE_NANOS = Duration.ofSeconds(25).toNanos();
    private static final Response LEFT = new Response.MembersRemoved(List.of());
    private static final MemberHeartbeat LEAVE = new ConsumerHeartbeat(
            new Sender("g", "m", MemberHeartbeat.LEAVE_EPOCH, null, null, -1, new ClientInfo("", ""), 1),
            null,
            null,
            null,
            null);

    private final OneAfterAnother answers = new OneAfterAnother();

    @Test
    void leave_thatMayBeLost_isNotRepeated_butHasTheSessionEndSoon() {
        // Given
        answers.give(refused(GroupError.NOT_COORDINATOR), new Response.Done());

        // When
        CompletableFuture<Response> answer = leave();

        // Then
        assertThat(answer).isCompletedWithValue(LEFT);
        assertThat(answers.asked()).containsExactly(LEAVE, new GroupCommand.ShortenSession("g", "m"));
    }

    @Test
    void leave_thatHadBeenDoneWhenItsAnswerWasLost_isAnsweredAsDone() {
        // Given
        answers.give(refused(GroupError.NOT_COORDINATOR), refused(GroupError.UNKNOWN_MEMBER_ID));

        // When
        CompletableFuture<Response> answer = leave();

        // Then
        assertThat(answer).isCompletedWithValue(LEFT);
    }

    @Test
    void leave_ofAnUnknownMember_isRefused() {
        // Given
        Response unknown = refused(GroupError.UNKNOWN_MEMBER_ID);
        answers.give(unknown);

        // When
        CompletableFuture<Response> answer = leave();

        // Then
        assertThat(answer).isCompletedWithValue(unknown);
        assertThat(answers.asked()).containsExactly(LEAVE);
    }

    private CompletableFuture<Response> leave() {
        return new Leaves(answers).answer(new Leaves.Leave(LEAVE, LEFT, DEADLINE_NANOS), new Session(answers));
    }

    private static Response refused(GroupError error) {
        return new Response.Refused(error, "no");
    }

    private static final class Session extends OpenSession {
        Session(OneAfterAnother answers) {
            super(answers);
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
            throw new IllegalStateException("upstream is not asked");
        }
    }
}
