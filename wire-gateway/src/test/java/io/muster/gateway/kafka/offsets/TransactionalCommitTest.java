package io.muster.gateway.kafka.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import io.muster.core.ClaimIdentity;
import io.muster.core.CommitCommand.TopicPartition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransactionalCommitTest {
    private static final Uuid KNOWN = Uuid.randomUuid();
    private static final Uuid UNKNOWN = Uuid.randomUuid();

    @ParameterizedTest
    @CsvSource({"0,6,3", "2,4,3", "3,6,3", "4,6,4", "4,3,3", "5,6,5", "6,5,5", "6,6,6"})
    void versionUnderClaim_carriesAMemberAndNeverCrossesFive(int client, int upstream, int expected) {
        // When
        TransactionalCommit commit =
                new TransactionalCommit(byName(), (short) client, (short) upstream, Map.of(KNOWN, "t"));

        // Then
        assertThat(commit.versionUnderClaim()).isEqualTo((short) expected);
        assertThat(commit.cannotBeTold()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"5,4", "6,4"})
    void version_thatUpstreamCannotBeTold_isRefused(int client, int upstream) {
        // When
        TransactionalCommit commit =
                new TransactionalCommit(byName(), (short) client, (short) upstream, Map.of(KNOWN, "t"));

        // Then
        assertThat(commit.cannotBeTold()).isTrue();
    }

    @Test
    void underClaim_carriesTheClaimAndNoInstance() {
        // When
        TxnOffsetCommitRequestData sent =
                (TxnOffsetCommitRequestData) new TransactionalCommit(byName(), (short) 2, (short) 4, Map.of())
                        .underClaim(new ClaimIdentity("claim", 7));

        // Then
        assertThat(sent.memberId()).isEqualTo("claim");
        assertThat(sent.generationIdOrMemberEpoch()).isEqualTo(7);
        assertThat(sent.groupInstanceId()).isNull();
    }

    @Test
    void topicOfUnknownId_isAnsweredHereAndNeverSent() {
        // Given
        TxnOffsetCommitRequestData request = new TxnOffsetCommitRequestData()
                .setGroupId("g")
                .setTopics(List.of(topic().setTopicId(KNOWN), topic().setTopicId(UNKNOWN)));
        TransactionalCommit commit = new TransactionalCommit(request, (short) 6, (short) 6, Map.of(KNOWN, "t"));

        // When
        TxnOffsetCommitRequestData sent = (TxnOffsetCommitRequestData) commit.underClaim(new ClaimIdentity("claim", 7));
        TxnOffsetCommitResponseData answer =
                (TxnOffsetCommitResponseData) commit.answer(new TxnOffsetCommitResponseData());

        // Then
        assertThat(sent.topics()).hasSize(1);
        assertThat(commit.admission("c1").partitions()).isEqualTo(Set.of(new TopicPartition("t", 0)));
        assertThat(answer.topics().get(0).topicId()).isEqualTo(UNKNOWN);
        assertThat(answer.topics().get(0).partitions().get(0).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
    }

    private static TxnOffsetCommitRequestData byName() {
        return new TxnOffsetCommitRequestData()
                .setGroupId("g")
                .setTopics(List.of(topic().setName("t").setTopicId(KNOWN)));
    }

    private static TxnOffsetCommitRequestTopic topic() {
        return new TxnOffsetCommitRequestTopic()
                .setPartitions(List.of(new TxnOffsetCommitRequestPartition().setPartitionIndex(0)));
    }
}
