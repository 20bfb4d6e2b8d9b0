package io.muster.gateway.kafka.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Command;
import io.muster.core.GroupCommand;
import io.muster.core.GroupDescription;
import io.muster.core.GroupInspection;
import io.muster.core.GroupState;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class JoinGroupApiTest {
    private static final short VERSION = 9;

    private final OneGroup coordinator = new OneGroup();
    private final Session session = new Session(coordinator);
    private final JoinGroupApi api = new JoinGroupApi(coordinator);

    @Test
    void join_ofAGroupWithMembers_isRefusedAndLetsNobodyInUpstream() throws MalformedRequestException {
        // When
        JoinGroupResponseData answer = join("");

        // Then
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INCONSISTENT_GROUP_PROTOCOL);
        assertThat(session.sent).singleElement().satisfies(sent -> {
            assertThat(sent.protocols()).isEmpty();
            assertThat(sent.memberId()).isNotEmpty();
        });
    }

    @Test
    void join_thatTheBrokerRefusesForItself_getsTheBrokersWord() throws MalformedRequestException {
        // Given
        session.ofNoProtocol = Errors.INVALID_SESSION_TIMEOUT;

        // When
        JoinGroupResponseData answer = join("");

        // Then
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_SESSION_TIMEOUT);
        assertThat(answer.memberId()).isEmpty();
    }

    @Test
    void join_ofAnEmptyGroup_getsItBackFromMuster() throws MalformedRequestException {
        // Given
        coordinator.state = GroupState.EMPTY;

        // When
        JoinGroupResponseData answer = join("");

        // Then
        assertThat(coordinator.released).isTrue();
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
        assertThat(session.sent)
                .last()
                .satisfies(sent -> assertThat(sent.protocols()).hasSize(1));
    }

    @Test
    void join_byAnUnknownMemberOfAnEmptyGroup_isRefusedAndChangesNothing() throws MalformedRequestException {
        // Given
        coordinator.state = GroupState.EMPTY;

        // When
        JoinGroupResponseData answer = join("m");

        // Then
        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
        assertThat(coordinator.released).isFalse();
    }

    private JoinGroupResponseData join(String memberId) throws MalformedRequestException {
        JoinGroupRequestData request = new JoinGroupRequestData()
                .setGroupId("g")
                .setMemberId(memberId)
                .setSessionTimeoutMs(10_000)
                .setProtocolType("consumer");
        request.protocols().add(new JoinGroupRequestProtocol().setName("range").setMetadata(new byte[] {0}));
        ByteBuffer frame = KafkaFrames.request(ApiKeys.JOIN_GROUP, VERSION, "client", 1, request);
        frame.position(frame.position() + KafkaFrames.LENGTH_BYTES);
        Route route = api.route(KafkaRequest.parse(frame), session);
        return (JoinGroupResponseData) ((Route.Answer) route).message().join();
    }

    /** Owns the group {@code g}, until it is released. */
    private static final class OneGroup extends GroupOwner {
        private GroupState state = GroupState.STABLE;
        private boolean released;

        @Override
        public CompletableFuture<Response> submit(Command command) {
            if (command instanceof GroupCommand.Release) {
                released = true;
                return CompletableFuture.completedFuture(new Response.Done());
            }
            GroupDescription description =
                    new GroupDescription.Consumer("g", state, 3, 3, "uniform", List.of(), new TreeMap<>());
            return CompletableFuture.completedFuture(new GroupInspection(description, "", List.of(), List.of()));
        }
    }

    /** A connection to a broker that lets in who speaks a protocol. */
    private static final class Session extends OpenSession {
        private final List<JoinGroupRequestData> sent = new ArrayList<>();
        private Errors ofNoProtocol = Errors.INCONSISTENT_GROUP_PROTOCOL;

        Session(Coordinator coordinator) {
            super(coordinator);
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys key, short version, ApiMessage request) {
            JoinGroupRequestData join = (JoinGroupRequestData) request;
            sent.add(join);
            Errors error = join.protocols().isEmpty() ? ofNoProtocol : Errors.NONE;
            return CompletableFuture.completedFuture(
                    new JoinGroupResponseData().setErrorCode(error.code()).setMemberId(join.memberId()));
        }
    }
}
