package io.muster.gateway.kafka.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimIdentity;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransactionalMessagesTest {
    private static final Uuid ID = Uuid.randomUuid();

    @ParameterizedTest
    @CsvSource({"0,6,3", "2,4,3", "3,6,3", "4,6,4", "4,3,3", "5,6,5", "6,5,5", "6,6,6"})
    void versionUnderClaim_carriesAMemberAndNeverCrossesFive(int client, int upstream, int expected) {
        // When
        TransactionalMessages messages = new TransactionalMessages(request(), (short) client, (short) upstream);

        // Then
        assertThat(messages.versionUnderClaim()).isEqualTo((short) expected);
        assertThat(messages.cannotBeTold()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"5,4", "6,4"})
    void version_thatUpstreamCannotBeTold_isRefused(int client, int upstream) {
        // When
        TransactionalMessages messages = new TransactionalMessages(request(), (short) client, (short) upstream);

        // Then
        assertThat(messages.cannotBeTold()).isTrue();
    }

    @Test
    void commitUnderClaim_differsFromTheClientsInTheMemberOnly() {
        // Given
        AtomicReference<ApiMessage> sent = new AtomicReference<>();
        Commit commit = new Commit(new TransactionalMessages(request(), (short) 5, (short) 5), Map.of());

        // When
        var unused = commit.sendAs(new ClaimIdentity("claim", 7), answering(sent, new TxnOffsetCommitResponseData()));

        // Then
        assertThat(sent.get())
                .isEqualTo(request()
                        .setMemberId("claim")
                        .setGenerationIdOrMemberEpoch(7)
                        .setGroupInstanceId(null));
    }

    @Test
    void answer_isUpstreams() {
        // Given
        TxnOffsetCommitResponseData response = new TxnOffsetCommitResponseData()
                .setTopics(List.of(new TxnOffsetCommitResponseTopic()
                        .setName("t")
                        .setTopicId(ID)
                        .setPartitions(List.of(new TxnOffsetCommitResponsePartition()
                                .setPartitionIndex(3)
                                .setErrorCode(Errors.INVALID_PRODUCER_EPOCH.code())))));
        TransactionalMessages messages = new TransactionalMessages(request(), (short) 6, (short) 6);

        // When
        OffsetCommitResponseData plain = messages.fromUpstream(response);

        // Then
        assertThat(messages.toClient(plain)).isEqualTo(response);
    }

    private static ClientUpstream answering(AtomicReference<ApiMessage> sent, ApiMessage answer) {
        return new ClientUpstream() {
            @Override
            public CompletableFuture<ApiMessage> call(ApiKeys api, short version, ApiMessage request) {
                sent.set(request);
                return CompletableFuture.completedFuture(answer);
            }

            @Override
            public short maxVersion(ApiKeys api) {
                return api.latestVersion();
            }
        };
    }

    private static TxnOffsetCommitRequestData request() {
        return new TxnOffsetCommitRequestData()
                .setTransactionalId("x")
                .setProducerId(4)
                .setProducerEpoch((short) 2)
                .setGroupId("g")
                .setMemberId("m")
                .setGroupInstanceId("i")
                .setGenerationIdOrMemberEpoch(9)
                .setTopics(List.of(new TxnOffsetCommitRequestTopic()
                        .setName("t")
                        .setTopicId(ID)
                        .setPartitions(List.of(new TxnOffsetCommitRequestPartition()
                                .setPartitionIndex(3)
                                .setCommittedOffset(5)
                                .setCommittedLeaderEpoch(6)
                                .setCommittedMetadata("meta")))));
    }
}
