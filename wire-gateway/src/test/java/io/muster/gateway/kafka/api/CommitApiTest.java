package io.muster.gateway.kafka.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimIdentity;
import io.muster.core.Command;
import io.muster.core.CommitCommand;
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
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class CommitApiTest {
    private final Shard coordinator = new Shard();
    private final Session session = new Session(coordinator);

    @Test
    void commit_ofAClientThatMayReadTheGroup_isAdmitted() throws MalformedRequestException {
        // Then
        assertThat(commit()).isEqualTo(Errors.NONE);
        assertThat(coordinator.admitted).hasSize(1);
        assertThat(session.commits).singleElement().returns("claim", OffsetCommitRequestData::memberId);
    }

    @Test
    void commit_ofAClientThatMayNotReadTheGroup_isTheBrokersAffair() throws MalformedRequestException {
        // Given
        session.read = Errors.GROUP_AUTHORIZATION_FAILED;
        session.stored = Errors.GROUP_AUTHORIZATION_FAILED;

        // Then
        assertThat(commit()).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED);
        assertThat(coordinator.admitted).isEmpty();
    }

    @Test
    void commit_toASilentBroker_isRefusedBeforeItIsAdmitted() throws MalformedRequestException {
        // Given
        session.silent = true;

        // Then
        assertThat(commit()).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
        assertThat(coordinator.admitted).isEmpty();
        assertThat(session.commits).isEmpty();
    }

    @Test
    void commit_whileNobodyKnowsWhoseTheGroupIs_isPassed() throws MalformedRequestException {
        // Given
        coordinator.isReachable = false;

        // Then
        assertThat(commit()).isEqualTo(Errors.NONE);
        assertThat(coordinator.admitted).isEmpty();
        assertThat(session.commits).singleElement().returns("m", OffsetCommitRequestData::memberId);
    }

    @Test
    void commit_thatTheBrokerRefusesAMember_whileNobodyKnowsWhoseTheGroupIs_isTriedAgain()
            throws MalformedRequestException {
        // Given
        coordinator.isReachable = false;
        session.stored = Errors.UNKNOWN_MEMBER_ID;

        // Then
        assertThat(commit()).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
    }

    private Errors commit() throws MalformedRequestException {
        OffsetCommitRequestData request = new OffsetCommitRequestData()
                .setGroupId("g")
                .setMemberId("m")
                .setGenerationIdOrMemberEpoch(1)
                .setTopics(List.of(new OffsetCommitRequestTopic()
                        .setName("t")
                        .setPartitions(List.of(new OffsetCommitRequestPartition().setCommittedOffset(1)))));
        ByteBuffer frame = KafkaFrames.request(ApiKeys.OFFSET_COMMIT, (short) 9, "client", 1, request);
        Route route = new OffsetCommitApi(coordinator)
                .route(KafkaRequest.parse(frame.position(KafkaFrames.LENGTH_BYTES)), session);
        OffsetCommitResponseData answer =
                (OffsetCommitResponseData) ((Route.Answer) route).message().join();
        return Errors.forCode(answer.topics().get(0).partitions().get(0).errorCode());
    }

    /** Admits every commit, if it can be reached. */
    private static final class Shard extends GroupOwner {
        private final List<Command> admitted = new ArrayList<>();
        private boolean isReachable = true;

        @Override
        public boolean owns(String groupId) {
            return isReachable;
        }

        @Override
        public boolean ownershipKnown(String groupId) {
            return isReachable;
        }

        @Override
        public boolean hasLeader(String groupId) {
            return isReachable;
        }

        @Override
        public CompletableFuture<Response> submit(Command command) {
            if (!(command instanceof CommitCommand.Admit)) {
                return CompletableFuture.completedFuture(new Response.Done());
            }
            admitted.add(command);
            return CompletableFuture.completedFuture(new Response.CommitAdmitted(new ClaimIdentity("claim", 1)));
        }
    }

    /** A broker that answers every commit with the same error. */
    private static final class Session extends OpenSession {
        private final List<OffsetCommitRequestData> commits = new ArrayList<>();
        private Errors read = Errors.UNKNOWN_MEMBER_ID;
        private Errors stored = Errors.NONE;
        private boolean silent;

        Session(Coordinator coordinator) {
            super(coordinator);
        }

        @Override
        public boolean isBrokerSilent() {
            return silent;
        }

        @Override
        public CompletableFuture<ApiMessage> call(ApiKeys key, short version, ApiMessage request) {
            if (key == ApiKeys.HEARTBEAT) {
                return CompletableFuture.completedFuture(new HeartbeatResponseData().setErrorCode(read.code()));
            }
            commits.add((OffsetCommitRequestData) request);
            OffsetCommitResponseData answer = new OffsetCommitResponseData();
            answer.topics()
                    .add(new OffsetCommitResponseTopic()
                            .setName("t")
                            .setPartitions(List.of(new OffsetCommitResponsePartition().setErrorCode(stored.code()))));
            return CompletableFuture.completedFuture(answer);
        }
    }
}
