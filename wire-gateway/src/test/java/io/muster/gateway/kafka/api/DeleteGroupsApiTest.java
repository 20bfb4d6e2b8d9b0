package io.muster.gateway.kafka.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.GroupCommand;
import io.muster.core.GroupError;
import io.muster.core.Response;
import io.muster.gateway.kafka.KafkaFrames;
import io.muster.gateway.kafka.KafkaRequest;
import io.muster.gateway.kafka.MalformedRequestException;
import io.muster.gateway.kafka.Route;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResult;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResultCollection;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class DeleteGroupsApiTest {
    private static final long DEADLINE_NANOS = Duration.ofSeconds(25).toNanos();

    private final OneAfterAnother coordinator = new OneAfterAnother();
    private final Session session = new Session(coordinator);
    private final DeleteGroupsApi api = new DeleteGroupsApi(coordinator);

    /** As long as the broker's initial rebalance delay. */
    @Test
    void deletion_ofAGroupWhoseClaimIsBeingTaken_isTriedAgain() throws MalformedRequestException {
        // Given
        coordinator.give(
                refused(GroupError.COORDINATOR_NOT_AVAILABLE),
                refused(GroupError.COORDINATOR_NOT_AVAILABLE),
                new Response.Done());

        // When
        CompletableFuture<Errors> answer = delete();
        session.thread.advance(Duration.ofSeconds(1));

        // Then
        assertThat(answer).isCompletedWithValue(Errors.NONE);
        assertThat(coordinator.asked()).hasSize(3).containsOnly(new GroupCommand.Delete("g"));
    }

    @Test
    void deletion_thatWasDoneByATryWhoseAnswerWasLost_isDone() throws MalformedRequestException {
        // Given
        coordinator.give(refused(GroupError.NOT_COORDINATOR), refused(GroupError.GROUP_ID_NOT_FOUND));

        // Then
        assertThat(delete()).isCompletedWithValue(Errors.NONE);
    }

    @Test
    void deletion_ofAnAbsentGroup_isRefused() throws MalformedRequestException {
        // Given
        coordinator.give(refused(GroupError.GROUP_ID_NOT_FOUND));

        // Then
        assertThat(delete()).isCompletedWithValue(Errors.GROUP_ID_NOT_FOUND);
    }

    private CompletableFuture<Errors> delete() throws MalformedRequestException {
        ByteBuffer frame = KafkaFrames.request(
                ApiKeys.DELETE_GROUPS,
                (short) 2,
                "client",
                1,
                new DeleteGroupsRequestData().setGroupsNames(List.of("g")));
        Route route = api.route(KafkaRequest.parse(frame.position(KafkaFrames.LENGTH_BYTES), DEADLINE_NANOS), session);
        return ((Route.Answer) route)
                .message()
                .thenApply(message -> Errors.forCode(
                        ((DeleteGroupsResponseData) message).results().find("g").errorCode()));
    }

    private static Response refused(GroupError error) {
        return new Response.Refused(error, "no");
    }

    /** A broker that lets the client delete the group, of which it has nothing. */
    private static final class Session extends OpenSession {
        Session(OneAfterAnother answers) {
            super(answers);
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
            if (request instanceof DescribeGroupsRequestData) {
                DescribedGroup group =
                        new DescribedGroup().setGroupId("g").setAuthorizedOperations(1 << AclOperation.DELETE.code());
                return CompletableFuture.completedFuture(new DescribeGroupsResponseData().setGroups(List.of(group)));
            }
            DeletableGroupResultCollection results = new DeletableGroupResultCollection();
            results.add(new DeletableGroupResult().setGroupId("g").setErrorCode(Errors.GROUP_ID_NOT_FOUND.code()));
            return CompletableFuture.completedFuture(new DeleteGroupsResponseData().setResults(results));
        }
    }
}
