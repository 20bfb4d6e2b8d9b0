package io.muster.gateway.kafka.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.Command;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.coordinator.Coordinator;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OffsetFetchApiTest {
    private static final short VERSION = 9;

    private final OneGroup coordinator = new OneGroup();
    private final Session session = new Session(coordinator);
    private final OffsetFetchApi api = new OffsetFetchApi(coordinator);

    @Test
    void fetch_ofAnotherGroup_passes() throws MalformedRequestException {
        // When
        Route route = route(group("other", "a", 3));

        // Then
        assertThat(route).isEqualTo(Route.Pass.UNREAD);
    }

    @Test
    void fetch_byAMember_goesWithoutTheMemberAndAsksForStableOffsets() throws MalformedRequestException {
        // When
        OffsetFetchResponseData answer = answer(group("g", "a", 3), group("other", "b", 1));

        // Then
        assertThat(session.sent)
                .containsExactly(
                        new OffsetFetchRequestData().setRequireStable(true).setGroups(List.of(group("g", null, -1))),
                        new OffsetFetchRequestData().setGroups(List.of(group("other", "b", 1))));
        assertThat(answer.groups())
                .extracting(OffsetFetchResponseGroup::groupId)
                .containsExactly("g", "other");
    }

    @Test
    void fetch_byAStaleMember_isRefusedForItsGroupOnly() throws MalformedRequestException {
        // Given
        coordinator.verdict = new Response.CommitRefused(GroupError.STALE_MEMBER_EPOCH, true);

        // When
        OffsetFetchResponseData answer = answer(group("g", "a", 3), group("other", null, -1));

        // Then
        assertThat(session.sent.get(0).groups()).containsExactly(group("g", null, -1), group("other", null, -1));
        assertThat(answer.groups())
                .extracting(OffsetFetchResponseGroup::errorCode)
                .containsExactly(Errors.STALE_MEMBER_EPOCH.code(), Errors.NONE.code());
    }

    @Test
    void fetch_thatNamesAGroupTwice_isAnsweredTwice() throws MalformedRequestException {
        // Given
        coordinator.verdict = new Response.CommitRefused(GroupError.STALE_MEMBER_EPOCH, true);

        // When
        OffsetFetchResponseData answer = answer(group("g", null, -1), group("g", "a", 3), group("g", null, -1));

        // Then
        assertThat(answer.groups())
                .extracting(OffsetFetchResponseGroup::errorCode)
                .containsExactly(Errors.NONE.code(), Errors.STALE_MEMBER_EPOCH.code(), Errors.NONE.code());
    }

    @Test
    void fetch_byAStaleMemberWhoMayNotSeeTheGroup_isAnsweredByUpstream() throws MalformedRequestException {
        // Given
        coordinator.verdict = new Response.CommitRefused(GroupError.STALE_MEMBER_EPOCH, true);
        session.error = Errors.GROUP_AUTHORIZATION_FAILED;

        // When
        OffsetFetchResponseData answer = answer(group("g", "a", 3));

        // Then
        assertThat(answer.groups().get(0).errorCode()).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED.code());
    }

    @Test
    void fetch_withoutAMember_isNotJudged() throws MalformedRequestException {
        // Given
        coordinator.verdict = new Response.CommitRefused(GroupError.UNKNOWN_MEMBER_ID, true);

        // When
        OffsetFetchResponseData answer = answer(group("g", null, -1));

        // Then
        assertThat(answer.groups().get(0).errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(session.sent.get(0).requireStable()).isFalse();
    }

    @Test
    void fetch_withAnEmptyMember_isOfAnUnknownMember() throws MalformedRequestException {
        // When
        OffsetFetchResponseData answer = answer(group("g", "", -1));

        // Then
        assertThat(answer.groups().get(0).errorCode()).isEqualTo(Errors.UNKNOWN_MEMBER_ID.code());
    }

    @Test
    void fetch_whileOwnershipIsUnknown_keepsTheMemberOfAGroupThatIsNotOurs() throws MalformedRequestException {
        // Given
        coordinator.ownershipKnown = false;
        coordinator.verdict = new Response.CommitRefused(GroupError.GROUP_ID_NOT_FOUND, false);

        // When
        OffsetFetchResponseData answer = answer(group("other", "b", 1));

        // Then
        assertThat(answer.groups().get(0).errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(session.sent.get(0).groups()).containsExactly(group("other", "b", 1));
    }

    private OffsetFetchResponseData answer(OffsetFetchRequestGroup... groups) throws MalformedRequestException {
        return (OffsetFetchResponseData)
                ((Route.Answer) route(groups)).message().join();
    }

    private Route route(OffsetFetchRequestGroup... groups) throws MalformedRequestException {
        OffsetFetchRequestData request = new OffsetFetchRequestData().setGroups(List.of(groups));
        ByteBuffer frame = KafkaFrames.request(ApiKeys.OFFSET_FETCH, VERSION, "client", 1, request);
        frame.position(frame.position() + KafkaFrames.LENGTH_BYTES);
        return api.route(KafkaRequest.parse(frame), session);
    }

    private static OffsetFetchRequestGroup group(String groupId, @Nullable String memberId, int memberEpoch) {
        return new OffsetFetchRequestGroup()
                .setGroupId(groupId)
                .setMemberId(memberId)
                .setMemberEpoch(memberEpoch)
                .setTopics(List.of());
    }

    /** Owns the group {@code g} and judges every fetch in one way. */
    private static final class OneGroup extends GroupOwner {
        private Response verdict = new Response.Done();
        private boolean ownershipKnown = true;

        @Override
        public CompletableFuture<Response> submit(Command command) {
            return CompletableFuture.completedFuture(verdict);
        }

        @Override
        public boolean ownershipKnown(String groupId) {
            return ownershipKnown;
        }
    }

    /** A connection to an upstream that answers for every group it is asked for. */
    private static final class Session extends OpenSession {
        private final List<OffsetFetchRequestData> sent = new ArrayList<>();
        private Errors error = Errors.NONE;

        Session(Coordinator coordinator) {
            super(coordinator);
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
            OffsetFetchRequestData fetch = (OffsetFetchRequestData) request;
            sent.add(fetch);
            return CompletableFuture.completedFuture(new OffsetFetchResponseData()
                    .setGroups(fetch.groups().stream()
                            .map(group -> new OffsetFetchResponseGroup()
                                    .setGroupId(group.groupId())
                                    .setErrorCode(error.code()))
                            .toList()));
        }
    }
}
